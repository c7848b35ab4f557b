import { defaultMaxListeners, setMaxListeners } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CriteriaError, type ModelRequest } from '@agent-criteria/core';
import {
  type FakeGeminiOptions,
  type FakeServer,
  faults,
  geminiFaults,
  startFakeGemini,
} from '@agent-criteria/test-servers';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type GeminiModelOptions, gemini, geminiModel } from './gemini-model.ts';

const VARIABLES = [
  ...['GOOGLE_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_GENAI_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI'],
  ...['GOOGLE_GENAI_USE_ENTERPRISE', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION', 'GOOGLE_GEMINI_BASE_URL'],
  ...['GOOGLE_VERTEX_BASE_URL', 'GOOGLE_APPLICATION_CREDENTIALS', 'GOOGLE_GENAI_API_VERSION'],
];

const open: FakeServer[] = [];
beforeEach(() => {
  for (const name of VARIABLES) vi.stubEnv(name, undefined);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function served(options?: FakeGeminiOptions): Promise<FakeServer> {
  const server = await startFakeGemini(options);
  open.push(server);
  return server;
}

function modelAt({ url }: FakeServer, options: Partial<GeminiModelOptions> = {}) {
  return geminiModel({ model: 'gemini-2.5-flash', apiKey: 'test-key', baseUrl: url, ...options });
}

const never = new AbortController().signal;
const asking = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: 'user', parts: [{ text: 'Is it so?' }] }],
  sample: 0,
  ...more,
});
const schema = {
  type: 'object',
  properties: { verdict: { enum: ['yes', 'no'] } },
  required: ['verdict'],
  additionalProperties: false,
};

/** Returns the error that a call rejects with. */
async function thrown(calling: Promise<unknown>): Promise<unknown> {
  return calling.then(
    () => expect.fail('the call did not reject'),
    (error: unknown) => error,
  );
}

describe('a request to Gemini', () => {
  it("is sent to version v1beta of the Gemini API with all of the caller's fields", async () => {
    const server = await served();
    const request = asking({
      system: 'You judge.',
      messages: [
        { role: 'user', parts: [{ text: 'a' }] },
        { role: 'model', parts: [{ text: 'b', thought: null }] },
        { role: null, parts: [{ text: 'c' }] },
      ],
      schema,
      temperature: 0,
      seed: 7,
      maxOutputTokens: 100,
    });
    const frozen = structuredClone(request);
    const answer = await modelAt(server).generate(request, never);
    expect(answer).toMatchObject({ text: '{"verdict":"yes"}', finish: 'stop', from: 'live' });
    expect(request).toEqual(frozen);
    const [{ path, headers, body } = expect.fail('nothing arrived')] = server.requests;
    expect(path).toBe('/v1beta/models/gemini-2.5-flash:generateContent');
    expect(headers).toMatchObject({ 'x-goog-api-key': 'test-key', 'x-server-timeout': '900' });
    expect(body).toEqual({
      contents: [
        { role: 'user', parts: [{ text: 'a' }] },
        { role: 'model', parts: [{ text: 'b' }] },
        { role: 'user', parts: [{ text: 'c' }] },
      ],
      systemInstruction: { role: 'user', parts: [{ text: 'You judge.' }] },
      generationConfig: {
        temperature: 0,
        seed: 7,
        maxOutputTokens: 100,
        responseMimeType: 'application/json',
        responseJsonSchema: schema,
      },
    });
  });

  it('has no fields that the caller did not set', async () => {
    const server = await served();
    await modelAt(server).generate(asking(), never);
    expect(server.requests[0]?.body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Is it so?' }] }],
      generationConfig: {},
    });
  });

  it("prefers the user's settings, in either spelling, to the caller's", async () => {
    const server = await served();
    const settings = {
      temperature: 0.5,
      max_output_tokens: 9,
      topP: 0.9,
      seed: null,
      thinking_config: { thinking_budget: 0, includeThoughts: false },
      safety_settings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      labels: { my_team: 'a_b', otherTeam: 'c' },
      http_options: { headers: { 'X-My_Header': 'kept' }, retry_options: { attempts: 5 }, timeout: 7000 },
    };
    const frozen = structuredClone(settings);
    await modelAt(server, { settings: { temperature: 0.1, topK: 3 }, serviceTier: 'flex' }).generate(
      asking({ temperature: 0, seed: 7, settings }),
      never,
    );
    expect(settings).toEqual(frozen);
    const [{ headers, body } = expect.fail('nothing arrived')] = server.requests;
    expect(headers).toMatchObject({ 'x-my_header': 'kept', 'x-server-timeout': '7' });
    expect(body).toMatchObject({
      generationConfig: {
        temperature: 0.5,
        maxOutputTokens: 9,
        topP: 0.9,
        topK: 3,
        seed: 7,
        thinkingConfig: { thinkingBudget: 0, includeThoughts: false },
      },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      labels: { my_team: 'a_b', otherTeam: 'c' },
      serviceTier: 'flex',
    });
  });

  it('keeps the caller’s instruction and answer format, and adds the user’s instruction', async () => {
    const server = await served();
    const settings = {
      system_instruction: { parts: [{ text: 'Be kind.' }] },
      response_mime_type: 'text/plain',
      response_schema: { type: 'STRING' },
    };
    await modelAt(server).generate(asking({ system: 'You judge.', schema, settings }), never);
    await modelAt(server).generate(
      asking({ system: 'You judge.', settings: { systemInstruction: 'Be kind.' } }),
      never,
    );
    await modelAt(server).generate(
      asking({ settings: { ...settings, response_mime_type: 'application/json' } }),
      never,
    );
    expect(server.requests.map(({ body }) => body)).toMatchObject([
      {
        systemInstruction: { parts: [{ text: 'You judge.' }, { text: 'Be kind.' }] },
        generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
      },
      { systemInstruction: { parts: [{ text: 'You judge.' }, { text: 'Be kind.' }] } },
      {
        systemInstruction: { parts: [{ text: 'Be kind.' }] },
        generationConfig: { responseMimeType: 'application/json', responseSchema: { type: 'STRING' } },
      },
    ]);
  });

  it("converts the keys of tools and schemas, but not the user's names", async () => {
    const server = await served();
    const settings = {
      tools: [
        {
          function_declarations: [
            {
              name: 'find_it',
              parameters: {
                type: 'OBJECT',
                properties: { my_id: { type: 'STRING', max_length: '4' } },
                property_ordering: ['my_id'],
              },
            },
            { name: 'other', parameters_json_schema: { type: 'object', properties: { a_b: { max_length: 4 } } } },
          ],
        },
      ],
      tool_config: { function_calling_config: { mode: 'NONE' } },
      toolConfig: undefined,
    };
    await modelAt(server).generate(asking({ settings }), never);
    expect(server.requests[0]?.body).toMatchObject({
      tools: [
        {
          functionDeclarations: [
            {
              name: 'find_it',
              parameters: {
                properties: { my_id: { type: 'STRING', maxLength: '4' } },
                propertyOrdering: ['my_id'],
              },
            },
            { name: 'other', parametersJsonSchema: { properties: { a_b: { max_length: 4 } } } },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'NONE' } },
    });
  });

  it.each([
    [{ temprature: 0 }, 'INVALID_OPTION', 'did you mean "temperature"?'],
    [{ abortSignal: 1 }, 'INVALID_OPTION', '"abortSignal" is not a setting of Gemini'],
    [{ top_p: 1, topP: 1 }, 'KEY_SPELT_TWICE', 'in both spellings'],
    [{ http_options: { base_url: 'https://example.com' } }, 'INVALID_OPTION', 'because the key is sent there'],
    [{ httpOptions: { timeout: 0 } }, 'INVALID_OPTION', 'positive number of milliseconds'],
    [JSON.parse('{"labels": {"a": "b"}, "thinkingConfig": {"__proto__": {}}}'), 'INVALID_OPTION', '__proto__'],
    [JSON.parse(`{"tools": ${'['.repeat(1000)}${']'.repeat(1000)}}`), 'INVALID_OPTION', 'nested deeper'],
  ])('is rejected with the settings %j', async (settings, code, message) => {
    const server = await served();
    const error = await thrown(modelAt(server).generate(asking({ settings }), never));
    expect(CriteriaError.is(error) && error.code).toBe(code);
    expect(String(error)).toContain(message);
    expect(() => modelAt(server, { settings })).toThrow(message);
    expect(server.requests).toEqual([]);
  });
});

describe('an answer of Gemini', () => {
  it.each([
    ['whole', { text: 'yes' }, 'yes', 'stop'],
    ['beside thoughts', { thoughts: 'Hm. no', text: 'yes' }, 'yes', 'stop'],
    ['cut off', { text: 'ye', finish: 'length' }, 'ye', 'length'],
    ['cut off before it began', { finish: 'length' }, '', 'length'],
    ['cut off by the limit of a request', { text: 'ye', finish: 'CONTINUATION' }, 'ye', 'length'],
    ['blocked', { text: 'y', finish: 'blocked' }, 'y', 'blocked'],
    ['blocked as a quotation', { finish: 'RECITATION' }, '', 'blocked'],
    ['ended otherwise', { text: 'y', finish: 'MALFORMED_FUNCTION_CALL' }, 'y', 'other'],
    ['ended in a way of the future', { text: 'y', finish: 'TIRED' }, 'y', 'other'],
    ['to a blocked prompt', { blockReason: 'PROHIBITED_CONTENT' }, '', 'blocked'],
    ['without a candidate', { empty: true }, '', 'other'],
  ])('is classified: %s', async (_what, said, text, finish) => {
    const answer = await modelAt(await served({ answer: () => said })).generate(asking(), never);
    expect(answer).toMatchObject({ text, finish, from: 'live' });
  });

  it('takes one request, even if the service offers to continue', async () => {
    const content = { role: 'model', parts: [{ text: 'ye' }] };
    const candidate = { content, finishReason: 'CONTINUATION', continuationToken: 'bW9yZQ==' };
    const body = { candidates: [candidate] };
    const server = await served({ answer: ({ sample }) => (sample === 0 ? { status: 200, body } : 's') });
    expect(await modelAt(server).generate(asking(), never)).toMatchObject({ text: 'ye', finish: 'length' });
    expect(server.requests).toHaveLength(1);
  });

  it('reports its usage, with thoughts as output', async () => {
    const usage = { input: 100, cachedInput: 40, output: 30, reasoning: 20 };
    const answer = await modelAt(await served({ answer: () => ({ text: 'a', usage }) })).generate(asking(), never);
    expect(answer.usage).toEqual({
      inputTokens: 100,
      cachedInputTokens: 40,
      outputTokens: 30,
      reasoningTokens: 20,
      totalTokens: 130,
    });
    const silent = await served({ answer: () => ({ text: 'a', usage: null }) });
    expect((await modelAt(silent).generate(asking(), never)).usage).toEqual({});
  });
});

describe('a failure of Gemini', () => {
  it.each([
    ['a wrong key', { apiKey: 'other' }, null, 400, 'API_KEY_INVALID'],
    ['no access', {}, geminiFaults.forbidden, 403, 'PERMISSION_DENIED'],
    ['an unknown model', { model: 'gemini-1.0' }, null, 404, 'NOT_FOUND'],
    ['too many requests, and when to come again', {}, geminiFaults.rateLimit(27), 429, '"retryDelay":"27s"'],
    ['too many requests', {}, geminiFaults.exhausted, 429, 'Resource exhausted'],
    ['too many requests today', {}, geminiFaults.dailyQuota, 429, 'PerDay'],
    ['a proxy', {}, faults.badGateway, 502, '<html>'],
    ['overload', {}, geminiFaults.overloaded, 503, 'overloaded'],
  ])('is passed on as the SDK’s own: %s', async (_what, options, fault, status, text) => {
    const server = await served({ faults: [fault] });
    const error = await thrown(modelAt(server, options).generate(asking(), never));
    expect(error).toMatchObject({ name: 'ApiError', status });
    expect(String(error)).toContain(text);
    expect(String(error)).not.toContain('test-key');
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['a refused field', null, { httpOptions: { extraBody: { foo: 1 } } }, 'Unknown name'],
    ['a cut socket', faults.cutSocket, {}, 'fetch failed'],
    ['half an answer', faults.cutBody, {}, 'terminated'],
    ['half an object', faults.brokenJson, {}, 'JSON'],
  ])('is passed on as the SDK’s own error: %s', async (_what, fault, settings, text) => {
    const server = await served({ faults: [fault] });
    const error = await thrown(modelAt(server).generate(asking({ settings }), never));
    expect(CriteriaError.is(error)).toBe(false);
    expect(String(error)).toContain(text);
    expect(server.requests).toHaveLength(1);
  });

  it('is reported if the key is missing', async () => {
    const error = await thrown(geminiModel({ model: 'gemini-2.5-flash' }).generate(asking(), never));
    expect(error).toMatchObject({ code: 'MISSING_ENVIRONMENT' });
    expect(String(error)).toContain('set GEMINI_API_KEY or GOOGLE_API_KEY, in the environment or in a .env file');
  });
});

describe('an abort or time-out', () => {
  it.each([
    ['before the answer', faults.hang],
    ['in the middle of it', { slow: 60_000 }],
  ])('rejects with the reason of the signal and closes the socket, %s', async (_what, fault) => {
    const server = await served({ faults: [fault] });
    const controller = new AbortController();
    const calling = modelAt(server).generate(asking(), controller.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await thrown(calling)).toBe(reason);
    await expect.poll(() => server.requests[0]?.aborted).toBe(true);
  });

  it('prevents the call if it comes before it', async () => {
    const server = await served();
    const reason = new Error('enough');
    expect(await thrown(modelAt(server).generate(asking(), AbortSignal.abort(reason)))).toBe(reason);
    expect(server.requests).toEqual([]);
  });

  it("can come from the call's own time limit", async () => {
    const server = await served({ faults: [faults.hang, { slow: 60_000 }] });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    for (const [index, settings] of [{}, { http_options: { timeout: 100 } }].entries()) {
      const model = modelAt(server, 'http_options' in settings ? {} : { timeout: 100 });
      const failing = thrown(model.generate(asking({ settings }), never));
      await expect.poll(() => server.requests.length).toBe(index + 1);
      await vi.advanceTimersByTimeAsync(100);
      const error = await failing;
      expect(error).toMatchObject({ code: 'TIMEOUT' });
      expect(String(error)).toContain('gemini-2.5-flash did not answer within 100 ms');
    }
    await expect.poll(() => server.requests.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it('leaves no listener on the signal', async () => {
    const server = await served();
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const model = modelAt(server);
    for (let count = 0; count < 3; count++) await model.generate(asking(), signal);
    expect(added).toHaveBeenCalledTimes(3);
    expect(removed).toHaveBeenCalledTimes(3);
  });

  it('can end many calls at once', async () => {
    const server = await served({ latency: 500 });
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const { signal } = new AbortController();
    // As in Node.js 20; later versions allow any number of listeners on a signal.
    setMaxListeners(defaultMaxListeners, signal);
    const model = modelAt(server);
    await Promise.all(Array.from({ length: 20 }, () => model.generate(asking(), signal)));
    expect(server.mostAtOnce).toBe(20);
    expect(warned).not.toHaveBeenCalled();
  });
});

it('connections are kept alive', async () => {
  const server = await served();
  const model = modelAt(server);
  for (let count = 0; count < 8; count++) await model.generate(asking(), never);
  expect(server.requests).toHaveLength(8);
  expect(server.connections).toBeLessThan(4);
});

describe('the address of a request', () => {
  const path = '/publishers/google/models/gemini-2.5-flash:generateContent';
  const authClient = { getRequestHeaders: async () => new Headers({ authorization: 'Bearer test-token' }) };

  it('comes from the environment', async () => {
    const server = await served();
    vi.stubEnv('GEMINI_API_KEY', 'test-key');
    vi.stubEnv('GOOGLE_GEMINI_BASE_URL', server.url);
    await gemini.create('models/gemini-2.5-flash', { serviceTier: 'flex' }).generate(asking(), never);
    vi.stubEnv('GOOGLE_GENAI_USE_VERTEXAI', 'TRUE');
    vi.stubEnv('GOOGLE_VERTEX_BASE_URL', server.url);
    await gemini.create('gemini-2.5-flash', {}).generate(asking(), never);
    await gemini.create('models/gemini-2.5-flash', {}).generate(asking(), never);
    expect(server.requests.map((request) => request.path)).toEqual([
      '/v1beta/models/gemini-2.5-flash:generateContent',
      `/v1beta1${path}`,
      `/v1beta1${path}`,
    ]);
    expect(server.requests[0]?.body).toMatchObject({ serviceTier: 'flex' });
  });

  it("is Vertex AI's with a project", async () => {
    const server = await served();
    vi.stubEnv('GOOGLE_API_KEY', 'of the Gemini API');
    vi.stubEnv('GEMINI_API_KEY', 'another one');
    const printed = [vi.spyOn(console, 'debug'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'log')];
    const options = { project: 'p', location: 'europe-west1', googleAuthOptions: { authClient } };
    const model = geminiModel({ model: 'gemini-2.5-flash', baseUrl: server.url, ...options });
    await model.generate(asking(), never);
    expect(server.requests[0]?.path).toBe(`/v1beta1/projects/p/locations/europe-west1${path}`);
    expect(server.requests[0]?.headers).not.toHaveProperty('x-goog-api-key');
    expect(options.googleAuthOptions).toEqual({ authClient });
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });

  it("is Vertex AI's with the project of a resource name", async () => {
    const server = await served();
    vi.stubEnv('GOOGLE_CLOUD_PROJECT', 'other');
    const model = 'projects/p/locations/us/publishers/google/models/gemini-2.5-flash';
    await geminiModel({ model, baseUrl: server.url, googleAuthOptions: { authClient } }).generate(asking(), never);
    expect(server.requests[0]?.path).toBe(`/v1beta1/projects/p/locations/us${path}`);
  });

  it("is Vertex AI's with application default credentials", async () => {
    const server = await served();
    const metadata = createServer((_request, response) => {
      response.setHeader('metadata-flavor', 'Google').setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ access_token: 'test-token', expires_in: 3600, token_type: 'Bearer' }));
    });
    await new Promise<void>((resolve) => metadata.listen(0, '127.0.0.1', resolve));
    vi.stubEnv('GCE_METADATA_HOST', `127.0.0.1:${(metadata.address() as AddressInfo).port}`);
    vi.stubEnv('METADATA_SERVER_DETECTION', 'assume-present');
    vi.stubEnv('HOME', '/nonexistent');
    vi.stubEnv('GOOGLE_GENAI_USE_ENTERPRISE', '1');
    vi.stubEnv('GOOGLE_CLOUD_PROJECT', 'p');
    vi.stubEnv('GOOGLE_VERTEX_BASE_URL', server.url);
    await geminiModel({ model: 'gemini-2.5-flash' }).generate(asking(), never);
    expect(server.requests[0]).toMatchObject({
      path: `/v1beta1/projects/p/locations/global${path}`,
      headers: { authorization: 'Bearer test-token' },
    });
    metadata.closeAllConnections();
    metadata.close();
  });

  it('is no longer awaited if the call is aborted while signing in', async () => {
    const server = await served();
    const hanging = { getRequestHeaders: () => new Promise<never>(() => {}) };
    const options = { project: 'p', googleAuthOptions: { authClient: hanging } };
    const model = geminiModel({ model: 'gemini-2.5-flash', baseUrl: server.url, timeout: 100, ...options });
    expect(await thrown(model.generate(asking(), never))).toMatchObject({ code: 'TIMEOUT' });
    expect(server.requests).toEqual([]);
  });

  it('has a different API version if one is set', async () => {
    const server = await served();
    await modelAt(server, { apiVersion: 'v1' }).generate(asking(), never);
    expect(server.requests[0]?.path).toBe('/v1/models/gemini-2.5-flash:generateContent');
  });
});

describe('the access report', () => {
  const model = 'gemini-2.5-flash';
  const resource = `projects/p/locations/l/publishers/google/models/${model}`;
  const vertex = { GOOGLE_GENAI_USE_VERTEXAI: 'true' };
  const cloud = { GOOGLE_CLOUD_PROJECT: 'p', GOOGLE_CLOUD_LOCATION: 'l' };
  const ADC = 'application default credentials';

  it.each<[GeminiModelOptions, Record<string, string>, string, string | null]>([
    [{ model }, { GEMINI_API_KEY: 'secret' }, 'Gemini API', 'GEMINI_API_KEY'],
    [{ model }, { GEMINI_API_KEY: 'secret', GOOGLE_API_KEY: 'secret' }, 'Gemini API', 'GOOGLE_API_KEY'],
    [{ model }, { GOOGLE_API_KEY: '', GOOGLE_GENAI_API_KEY: 'secret' }, 'Gemini API', 'GOOGLE_GENAI_API_KEY'],
    [{ model, apiKey: 'secret' }, {}, 'Gemini API', 'the option apiKey'],
    [{ model }, { GEMINI_API_KEY: 'secret', ...cloud }, 'Gemini API', 'GEMINI_API_KEY'],
    [{ model }, { ...vertex, ...cloud }, 'Vertex AI, project p, location l', ADC],
    [{ model }, { ...vertex, ...cloud, GOOGLE_API_KEY: 'secret' }, 'Vertex AI, project p, location l', ADC],
    [{ model }, { ...vertex, GOOGLE_CLOUD_PROJECT: 'p' }, 'Vertex AI, project p, location global', ADC],
    [{ model }, { ...vertex, GOOGLE_API_KEY: 'secret' }, 'Vertex AI in express mode', 'GOOGLE_API_KEY'],
    [{ model, apiKey: 'secret' }, { ...vertex, ...cloud }, 'Vertex AI in express mode', 'the option apiKey'],
    [{ model, vertex: false }, { ...vertex, GEMINI_API_KEY: 'secret' }, 'Gemini API', 'GEMINI_API_KEY'],
    [
      { model },
      { ...vertex, GOOGLE_GENAI_USE_ENTERPRISE: 'false', GEMINI_API_KEY: 's' },
      'Gemini API',
      'GEMINI_API_KEY',
    ],
    [{ model: resource }, {}, 'Vertex AI, project p, location l', ADC],
    [
      { model, project: 'q', googleAuthOptions: {} },
      cloud,
      'Vertex AI, project q, location l',
      'the option googleAuthOptions',
    ],
    [{ model, project: 'q', apiKey: 'secret' }, {}, 'Vertex AI, project q, location global', 'the option apiKey'],
    [
      { model, baseUrl: 'https://user:password@proxy.test/gemini?token=secret' },
      { GEMINI_API_KEY: 'secret' },
      'Gemini API at https://proxy.test/gemini',
      'GEMINI_API_KEY',
    ],
  ])('describes the options %j with the environment %j', (options, environment, service, credentials) => {
    expect(geminiModel(options).access?.(environment)).toEqual({ service, credentials, problems: [] });
  });

  it.each<[GeminiModelOptions, Record<string, string>, string, string]>([
    [{ model }, {}, 'MISSING_ENVIRONMENT', 'GEMINI_API_KEY or GOOGLE_API_KEY'],
    [{ model, apiKey: '' }, { GEMINI_API_KEY: '' }, 'MISSING_ENVIRONMENT', 'GEMINI_API_KEY or GOOGLE_API_KEY'],
    [{ model }, vertex, 'MISSING_ENVIRONMENT', 'GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION'],
    [
      { model, apiKey: 'k' },
      { GOOGLE_GEMINI_BASE_URL: 'proxy' },
      'INVALID_CONFIG',
      'GOOGLE_GEMINI_BASE_URL is not a URL',
    ],
  ])('reports missing settings for the options %j with the environment %j', (options, environment, code, text) => {
    expect(geminiModel(options).access?.(environment).problems).toEqual([
      { code, message: expect.stringContaining(text) },
    ]);
  });
});

it('the entry registers the provider, which accepts the names of Gemini models', async () => {
  const { defaultRegistry } = await import('@agent-criteria/core/host');
  await import('./index.ts');
  expect(defaultRegistry().list('model-provider')).toContain(gemini);
  for (const name of [
    ...[
      'gemini-2.5-flash',
      'models/gemini-2.5-pro',
      'projects/p/locations/l/publishers/google/models/gemini-3.5-flash',
    ],
    ...['gpt-5', 'ollama/gemini-x', 'gemini', 'projects/p/models/gemini-x'],
  ]) {
    expect(gemini.accepts(name)).toBe(/gemini-\d/.test(name));
  }
  expect(gemini.create('models/gemini-2.5-flash', {}).id).toBe('models/gemini-2.5-flash');
});

it('geminiModel() rejects an invalid timeout', () => {
  for (const timeout of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => geminiModel({ model: 'gemini-2.5-flash', timeout })).toThrow('positive number of milliseconds');
});

it('geminiModel() reports only the settings that affect answers, so that a changed key keeps recordings valid', () => {
  const model = 'gemini-2.5-flash';
  const headers = { authorization: 'Bearer x' };
  expect(geminiModel({ model, settings: { httpOptions: { headers } } }).settings).toBeUndefined();
  expect(geminiModel({ model, settings: { topK: 3, http_options: { headers } } }).settings).toEqual({ topK: 3 });
});
