import dns from 'node:dns';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync, gzipSync } from 'node:zlib';
import { CriteriaError, type ModelRequest } from '@agent-criteria/core';
import {
  type FakeOpenAiOptions,
  type FakeServer,
  faults,
  openAiError,
  openAiFaults,
  startFakeOpenAi,
} from '@agent-criteria/test-servers';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { classifyFailure } from './classify-failure.ts';
import { ollamaUrl } from './openai-compatible/connection.ts';
import * as entry from './openai-compatible.ts';
import {
  lmstudio,
  type OpenAiCompatibleOptions,
  ollama,
  openAiCompatible,
  openai,
  openrouter,
  vllm,
} from './openai-compatible.ts';

const open: FakeServer[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function served(options?: FakeOpenAiOptions): Promise<FakeServer> {
  const server = await startFakeOpenAi(options);
  open.push(server);
  return server;
}

function modelAt({ url }: FakeServer, options: Partial<OpenAiCompatibleOptions> = {}) {
  return openAiCompatible({ baseUrl: `${url}/v1`, model: 'test-model', apiKey: 'test-key', ...options });
}

/** Starts a server with the given request listener, and returns its base URL. */
async function handled(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
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
const lax = { type: 'object', properties: { verdict: { enum: ['yes', 'no'] } } };
const bodies = (server: FakeServer) => server.requests.map(({ body }) => body as Record<string, unknown>);

/** Returns the error that a call rejects with. */
async function thrown(calling: Promise<unknown>): Promise<unknown> {
  return calling.then(
    () => expect.fail('the call did not reject'),
    (error: unknown) => error,
  );
}

describe('openAiCompatible() requests', () => {
  it('use OpenAI’s field names', async () => {
    const server = await served();
    const request = asking({
      system: 'You judge.',
      messages: [
        { role: 'user', parts: [{ text: 'a' }, { text: 'hm', thought: true }, { text: 'b' }] },
        { role: 'model', parts: [{ text: 'c' }] },
        { parts: [{ text: 'd' }] },
      ],
      schema,
      temperature: 0,
      seed: 7,
      maxOutputTokens: 100,
    });
    const frozen = structuredClone(request);
    const model = modelAt(server, { headers: { 'x-team': 'evals' } });
    expect(await model.generate(request, never)).toMatchObject({
      text: '{"verdict":"yes"}',
      finish: 'stop',
      from: 'live',
    });
    expect(request).toEqual(frozen);
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer test-key',
      'x-team': 'evals',
      'accept-encoding': 'identity',
      'user-agent': 'agent-criteria',
    });
    expect(bodies(server)).toEqual([
      {
        model: 'test-model',
        messages: [
          { role: 'system', content: 'You judge.' },
          { role: 'user', content: 'a\nb' },
          { role: 'assistant', content: 'c' },
          { role: 'user', content: 'd' },
        ],
        temperature: 0,
        seed: 7,
        max_tokens: 100,
        response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
      },
    ]);
  });

  it('contain only the fields of the request', async () => {
    const server = await served({ key: null });
    const { url } = server;
    await openAiCompatible({ baseUrl: `${url}/v1/`, model: 'test-model' }).generate(asking(), never);
    expect(bodies(server)).toEqual([{ model: 'test-model', messages: [{ role: 'user', content: 'Is it so?' }] }]);
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('accept settings with Gemini’s or OpenAI’s names, which override the request', async () => {
    const server = await served();
    const model = modelAt(server, { settings: { temperature: 0.1, topK: 3, max_tokens: 5 } });
    const settings = {
      temperature: 0.5,
      top_p: 0.9,
      stop_sequences: ['END'],
      max_output_tokens: 9,
      seed: null,
      maxOutputTokens: undefined,
      reasoning_effort: 'low',
    };
    await model.generate(asking({ temperature: 0, seed: 7, maxOutputTokens: 100, settings }), never);
    await model.generate(asking({ maxOutputTokens: 100, settings: { topP: 0.8 } }), never);
    const common = { model: 'test-model', messages: [{ role: 'user', content: 'Is it so?' }], top_k: 3 };
    expect(bodies(server)).toEqual([
      { ...common, temperature: 0.5, seed: 7, top_p: 0.9, stop: ['END'], max_tokens: 9, reasoning_effort: 'low' },
      { ...common, temperature: 0.1, top_p: 0.8, max_tokens: 5 },
    ]);
  });

  it('include unknown settings unchanged', async () => {
    const server = await served();
    const error = await thrown(modelAt(server).generate(asking({ schema, settings: { thinking: 1 } }), never));
    expect(error).toMatchObject({ status: 400 });
    expect(String(error)).toContain('Unrecognized request argument supplied: thinking');
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [{ stream: true }, 'INVALID_OPTION', '"stream" cannot be a setting'],
    [{ messages: [] }, 'INVALID_OPTION', '"messages" cannot be a setting'],
    [JSON.parse('{"__proto__": {"model": "other"}}'), 'INVALID_OPTION', '"__proto__" cannot be a setting'],
    [
      { base_url: 'http://127.0.0.1:1' },
      'INVALID_OPTION',
      '"base_url" is not a setting of this model: the settings of a model cannot set its address',
    ],
    [{ baseURL: null }, 'INVALID_OPTION', 'set the variable of its provider, such as OPENAI_BASE_URL'],
    [{ http_options: { base_url: 'http://127.0.0.1:1' } }, 'INVALID_OPTION', 'cannot set its address'],
    [{ httpOptions: { headers: { a: 'b' } } }, 'INVALID_OPTION', '"httpOptions" is not a setting of this model'],
    [{ api_key: 'k' }, 'INVALID_OPTION', 'hold no key and no header'],
    [{ extra_headers: {} }, 'INVALID_OPTION', 'hold no key and no header'],
    [{ timeout: 5 }, 'INVALID_OPTION', '--call-timeout'],
    [{ extra_body: {} }, 'INVALID_OPTION', 'write the fields themselves'],
    [{ topP: 1, top_p: 1 }, 'KEY_SPELT_TWICE', '"top_p", and the same setting under another name'],
    [{ max_output_tokens: 1, max_tokens: 1 }, 'KEY_SPELT_TWICE', 'the same setting under another name'],
  ])('reject the settings %j', async (settings, code, message) => {
    const server = await served();
    const error = await thrown(modelAt(server).generate(asking({ settings }), never));
    expect(CriteriaError.is(error) && error.code).toBe(code);
    expect(String(error)).toContain(message);
    expect(() => modelAt(server, { settings })).toThrow(message);
    expect(server.requests).toEqual([]);
  });
});

describe('openAiCompatible() response formats', () => {
  const kinds = (server: FakeServer) =>
    bodies(server).map(({ response_format: format }) => {
      const { type, json_schema } = (format ?? {}) as { type?: string; json_schema?: { strict?: boolean } };
      return type === 'json_schema' && json_schema?.strict === true ? 'strict' : (type ?? 'none');
    });

  it('send the schema, in strict mode if the schema allows it', async () => {
    const server = await served();
    await modelAt(server).generate(asking({ schema }), never);
    await modelAt(server).generate(asking({ schema: lax }), never);
    const nested = { ...schema, properties: { verdict: { type: ['object', 'null'], properties: {} } } };
    await modelAt(server).generate(asking({ schema: nested }), never);
    await modelAt(server).generate(asking({ schema: { ...schema, required: [] } }), never);
    await modelAt(server).generate(asking({ schema: { enum: ['yes', 'no'] } }), never);
    expect(kinds(server)).toEqual(['strict', ...Array(4).fill('json_schema')]);
  });

  it('fall back to simpler ones if the server rejects them, and remember the fallback', async () => {
    const server = await served({ formats: ['json_object'] });
    const model = modelAt(server);
    await model.generate(asking({ schema, system: 'You judge.' }), never);
    await model.generate(asking({ schema }), never);
    await model.generate(asking(), never);
    expect(kinds(server)).toEqual(['strict', 'json_schema', 'json_object', 'json_object', 'none']);
    const content = `You judge.\n\nAnswer with one JSON object and nothing else. It must fit this JSON Schema:\n${JSON.stringify(schema)}`;
    expect(bodies(server)[2]?.messages).toMatchObject([{ role: 'system', content }, { role: 'user' }]);
  });

  it('fall back to the schema in the prompt alone', async () => {
    const server = await served({ formats: [], answer: () => '{"verdict":"no"}' });
    const model = modelAt(server);
    expect(await model.generate(asking({ schema: lax }), never)).toMatchObject({ text: '{"verdict":"no"}' });
    await model.generate(asking({ schema: lax }), never);
    expect(kinds(server)).toEqual(['json_schema', 'json_object', 'none', 'none']);
    expect(bodies(server).at(-1)?.messages).toMatchObject([{ content: expect.stringContaining('JSON Schema') }, {}]);
  });

  it('start with jsonMode', async () => {
    const server = await served();
    await modelAt(server, { jsonMode: 'json_object' }).generate(asking({ schema }), never);
    await modelAt(server, { jsonMode: 'none' }).generate(asking({ schema }), never);
    expect(kinds(server)).toEqual(['json_object', 'none']);
  });

  it('do not change after other errors and failed calls', async () => {
    const server = await served({ faults: [openAiFaults.contextLength, ...Array(4).fill(refused())] });
    const model = modelAt(server);
    expect(await thrown(model.generate(asking({ schema }), never))).toMatchObject({ status: 400 });
    expect(server.requests).toHaveLength(1);
    expect(await thrown(model.generate(asking({ schema }), never))).toMatchObject({ status: 400 });
    expect(server.requests).toHaveLength(5);
    await model.generate(asking({ schema }), never);
    expect(kinds(server)).toEqual(['strict', 'strict', 'json_schema', 'json_object', 'none', 'strict']);
  });

  it('do not change back when a call that started before the fallback ends', async () => {
    let finish = (): void => {};
    const learnt = new Promise<string>((resolve) => {
      finish = () => resolve('yes');
    });
    const server = await served({
      formats: ['json_object'],
      answer: ({ text }) => (text === 'slow' ? learnt : '{"verdict":"yes"}'),
    });
    const model = modelAt(server);
    const slow = model.generate(asking({ messages: [{ parts: [{ text: 'slow' }] }] }), never);
    await expect.poll(() => server.requests.length).toBe(1);
    await model.generate(asking({ schema }), never);
    finish();
    await slow;
    await model.generate(asking({ schema }), never);
    expect(kinds(server)).toEqual(['none', 'strict', 'json_schema', 'json_object', 'json_object']);
  });

  function refused() {
    return openAiError(400, 'invalid_request_error', "'response_format' is not supported");
  }
});

describe('openAiCompatible() token limits', () => {
  it.each(['max_tokens', 'max_completion_tokens'] as const)(
    'are sent as %s if the server requires it',
    async (name) => {
      const server = await served({ tokenLimit: name, models: ['m'] });
      for (const model of [modelAt(server, { model: 'm' }), openaiAt(server)]) {
        await model.generate(asking({ maxOutputTokens: 7 }), never);
        await model.generate(asking({ settings: { maxOutputTokens: 8 } }), never);
      }
      const accepted = bodies(server).filter((body) => name in body);
      expect(accepted.map((body) => body[name])).toEqual([7, 8, 7, 8]);
      expect(server.requests).toHaveLength(5);
    },
  );

  it('do not alternate endlessly between two names', async () => {
    const too = (name: string) =>
      openAiError(400, 'invalid_request_error', `Unknown trouble: '${name}' is too large; this is not supported.`);
    const server = await served({ faults: [too('max_tokens'), too('max_completion_tokens')] });
    const error = await thrown(modelAt(server).generate(asking({ maxOutputTokens: 7e9 }), never));
    expect(String(error)).toContain('is too large');
    expect(server.requests).toHaveLength(2);
    server.fail(openAiError(400, 'invalid_request_error', 'max_tokens is too large: 7000000000.'));
    await thrown(modelAt(server).generate(asking({ maxOutputTokens: 7e9 }), never));
    expect(server.requests).toHaveLength(3);
  });

  function openaiAt(server: FakeServer) {
    vi.stubEnv('OPENAI_BASE_URL', `${server.url}/v1`);
    vi.stubEnv('OPENAI_API_KEY', 'test-key');
    return openai.create('openai/m', {});
  }
});

describe('openAiCompatible() answers', () => {
  it.each([
    ['whole', { text: 'yes' }, 'yes', 'stop'],
    ['beside reasoning', { thoughts: 'Hm. no', text: 'yes' }, 'yes', 'stop'],
    ['behind reasoning', { text: '\n<think>\nHm. {"verdict":"no"}\n</think>\n\nyes' }, 'yes', 'stop'],
    ['about reasoning', { text: 'yes, <think>this</think>' }, 'yes, <think>this</think>', 'stop'],
    ['behind reasoning about its end', { text: '<think>a</think>b</think>' }, 'b</think>', 'stop'],
    ['lost in reasoning', { text: '<think>Hm. {"verdict":"yes"}', finish: 'length' }, '', 'length'],
    ['cut off', { text: 'ye', finish: 'length' }, 'ye', 'length'],
    ['blocked', { text: 'y', finish: 'blocked' }, 'y', 'blocked'],
    ['refused', { refusal: 'I will not.', text: 'I' }, '', 'blocked'],
    ['ended otherwise', { finish: 'tool_calls' }, '', 'other'],
    ['without a choice', { empty: true }, '', 'other'],
  ])('return text and finish reason: %s', async (_what, said, text, finish) => {
    const answer = await modelAt(await served({ answer: () => said })).generate(asking(), never);
    expect(answer).toMatchObject({ text, finish, from: 'live' });
  });

  it('may have several parts', async () => {
    const content = [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'y' },
      { type: 'text', text: 'es' },
      null,
    ];
    const body = { choices: [{ message: { content }, finish_reason: 'stop' }] };
    const answer = await modelAt(await served({ answer: () => ({ status: 200, body }) })).generate(asking(), never);
    expect(answer).toEqual({ text: 'yes', finish: 'stop', usage: {}, from: 'live' });
  });

  it('report their usage', async () => {
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

  it.each([
    [{ foo: 1 }, 'did not answer with a chat completion', 'unknown'],
    [[], 'did not answer with a chat completion', 'unknown'],
    [{ error: { code: 429, message: 'Slow down.' } }, 'the server returned an error: Slow down.', 'rate-limit'],
    [{ error: 'no' }, 'the server returned an error: "no"', 'unknown'],
  ])('are rejected if they are %j', async (body, text, kind) => {
    const server = await served({ answer: () => ({ status: 200, body }) });
    const error = await thrown(modelAt(server).generate(asking(), never));
    expect(String(error)).toContain(text);
    expect(classifyFailure(error).kind).toBe(kind);
  });
});

describe('openAiCompatible() failures', () => {
  it.each([
    ['no key', { apiKey: '' }, null, 401, 'auth', "didn't provide an API key"],
    ['a wrong key', { apiKey: 'other' }, null, 401, 'auth', 'Incorrect API key'],
    ['no access', {}, openAiFaults.forbidden, 403, 'auth', 'does not have access'],
    ['an unknown model', { model: 'other' }, null, 404, 'not-found', "The model 'other' does not exist"],
    ['another path', { baseUrl: '' }, null, 404, 'not-found', 'Invalid URL'],
    ['too many requests', {}, openAiFaults.rateLimit(), 429, 'rate-limit', 'Rate limit reached'],
    ['no money', {}, openAiFaults.noCredit, 429, 'quota', 'exceeded your current quota'],
    ['a proxy', {}, faults.badGateway, 502, 'server', 'an HTML page, "502 Server Error"'],
    ['overload', {}, openAiFaults.overloaded, 503, 'overload', 'overloaded'],
    [
      'a redirection',
      {},
      { status: 307, headers: { location: '/v1/other' }, body: '' },
      307,
      'bad-request',
      'HTTP 307',
    ],
  ])('have the status and body of HTTP errors: %s', async (_what, options, fault, status, kind, text) => {
    const server = await served({ faults: [fault] });
    const base = 'baseUrl' in options ? { baseUrl: server.url } : {};
    const error = await thrown(modelAt(server, { ...options, ...base }).generate(asking({ schema }), never));
    expect(error).toMatchObject({ name: 'HttpError', status });
    expect(String(error)).toContain(text);
    expect(classifyFailure(error)).toMatchObject({ kind, status });
    expect(server.requests).toHaveLength(1);
  });

  it('have the Retry-After header', async () => {
    const server = await served({ faults: [openAiFaults.rateLimit(3)] });
    const error = await thrown(modelAt(server).generate(asking(), never));
    expect(error).toMatchObject({ headers: { 'retry-after': '3' } });
    expect(classifyFailure(error)).toMatchObject({ retryable: true, retryAfter: 3000 });
  });

  it('contain no key, even if the server echoes it', async () => {
    const leak = openAiError(401, 'invalid_request_error', 'Incorrect API key provided: my-own-key, by other-secret');
    const server = await served({ faults: [leak] });
    const options = { apiKey: 'my-own-key', headers: { 'x-key': 'other-secret' } };
    const error = (await thrown(modelAt(server, options).generate(asking(), never))) as Error & { body: string };
    expect(error.message).toContain('Incorrect API key provided: [redacted], by [redacted]');
    expect(JSON.stringify([error, error.message, error.body, error.stack])).not.toMatch(/my-own-key|other-secret/);
  });

  it.each([
    ['a cut socket', faults.cutSocket, 'closed the connection without an answer', 'network'],
    ['half an answer', faults.cutBody, 'closed the connection in the middle of its answer', 'network'],
    ['half an object', faults.brokenJson, 'JSON', 'unreadable'],
    ['nothing', { status: 200, body: '' }, 'JSON', 'unreadable'],
  ])('rethrow connection errors unchanged: %s', async (_what, fault, text, kind) => {
    const server = await served({ faults: [fault] });
    const error = await thrown(modelAt(server).generate(asking(), never));
    expect(String(error)).toContain(text);
    expect(classifyFailure(error)).toMatchObject({ kind, retryable: true });
    expect(server.requests).toHaveLength(1);
  });

  it('include answers that never end', async () => {
    let closed = false;
    const baseUrl = await handled((_request, response) => {
      const piece = 'a'.repeat(1024 * 1024);
      response.on('close', () => {
        closed = true;
      });
      const write = (): void => {
        while (!closed && response.write(piece));
      };
      response.on('drain', write);
      write();
    });
    const error = await thrown(openAiCompatible({ baseUrl, model: 'm' }).generate(asking(), never));
    expect(String(error)).toContain('larger than 32 MB');
    await expect.poll(() => closed).toBe(true);
  });

  it('include a server that is not running', async () => {
    const server = await served();
    await server.close();
    open.length = 0;
    const error = await thrown(modelAt(server).generate(asking(), never));
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    expect(classifyFailure(error)).toMatchObject({ kind: 'network', retryable: false });
  });

  it('include unknown hosts', async () => {
    const model = openAiCompatible({ baseUrl: 'http://nowhere.invalid/v1', model: 'm' });
    const error = await thrown(model.generate(asking(), never));
    expect(classifyFailure(error)).toMatchObject({ kind: 'network', retryable: true });
  });

  it('include servers without TLS', async () => {
    const baseUrl = (await served()).url.replace('http:', 'https:');
    const error = await thrown(openAiCompatible({ baseUrl, model: 'm' }).generate(asking(), never));
    expect(classifyFailure(error)).toMatchObject({ kind: 'network' });
  });

  it('include connections that take longer than ten seconds', async () => {
    vi.spyOn(dns, 'lookup').mockImplementation((() => undefined) as never);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const model = openAiCompatible({ baseUrl: 'http://judge.example/v1', model: 'm' });
    const calling = thrown(model.generate(asking(), never));
    await vi.advanceTimersByTimeAsync(10_000);
    const error = await calling;
    expect(String(error)).toContain('no connection within 10 s');
    expect(classifyFailure(error)).toMatchObject({ kind: 'timeout', retryable: true });
  });

  it('do not contain a key that is invalid as a header', async () => {
    const server = await served();
    const error = await thrown(modelAt(server, { apiKey: 'my-own\nkey' }).generate(asking(), never));
    expect(error).toMatchObject({ code: 'ERR_INVALID_CHAR' });
    expect(JSON.stringify([error, String(error), (error as Error).stack])).not.toContain('my-own');
    expect(server.requests).toEqual([]);
  });
});

describe('openAiCompatible() compressed answers', () => {
  const plain = JSON.stringify({ choices: [{ message: { content: 'ja, höchstens' }, finish_reason: 'stop' }] });
  const packed = (encoding: string, bytes: Uint8Array) =>
    handled((request, response) => {
      request.resume().on('end', () => response.writeHead(200, { 'content-encoding': encoding }).end(bytes));
    });

  it.each([
    ['gzip', gzipSync(plain)],
    ['X-GZIP', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['identity', Buffer.from(plain)],
  ])('are decompressed: %s', async (encoding, bytes) => {
    const model = openAiCompatible({ baseUrl: await packed(encoding, bytes), model: 'm' });
    expect(await model.generate(asking(), never)).toMatchObject({ text: 'ja, höchstens' });
  });

  it.each([
    ['half of it', gzipSync(plain).subarray(0, 30)],
    ['more than any answer has', gzipSync(Buffer.alloc(33 * 1024 * 1024))],
    ['something else', Buffer.from(plain)],
  ])('fail if they cannot be decompressed: %s', async (_what, bytes) => {
    const model = openAiCompatible({ baseUrl: await packed('gzip', bytes), model: 'm' });
    const error = await thrown(model.generate(asking(), never));
    expect(String(error)).toContain('cannot be decompressed');
    expect(classifyFailure(error)).toMatchObject({ kind: 'unreadable', retryable: true });
  });
});

describe('openAiCompatible() aborts', () => {
  it.each([
    ['before the answer', faults.hang],
    ['in the middle of it', { slow: 60_000 }],
  ])('reject with the signal’s reason and close the socket, %s', async (_what, fault) => {
    const server = await served({ faults: [fault] });
    const controller = new AbortController();
    const calling = modelAt(server).generate(asking(), controller.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await thrown(calling)).toBe(reason);
    await expect.poll(() => server.requests[0]?.aborted).toBe(true);
  });

  it('send no request if the signal has already aborted', async () => {
    const server = await served();
    const reason = new Error('enough');
    expect(await thrown(modelAt(server).generate(asking(), AbortSignal.abort(reason)))).toBe(reason);
    expect(server.requests).toEqual([]);
  });
});

describe('openAiCompatible() connections', () => {
  it('are kept alive', async () => {
    const server = await served();
    const model = modelAt(server);
    for (let count = 0; count < 8; count++) await model.generate(asking(), never);
    expect(server.requests).toHaveLength(8);
    expect(server.connections).toBe(1);
  });

  it('are replaced if the server closed them while idle', async () => {
    const sockets = new Set<Socket>();
    let asked = 0;
    const server = createServer((incoming, outgoing) => {
      sockets.add(incoming.socket);
      asked += 1;
      incoming.resume();
      outgoing.end(JSON.stringify({ choices: [{ message: { content: 'Yes.' }, finish_reason: 'stop' }] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const model = openAiCompatible({ baseUrl: `http://127.0.0.1:${port}/v1`, model: 'm' });
    await model.generate(asking(), never);
    await sleep(600);
    // The client does not know that the sockets are closed when it sends the next request.
    for (const socket of sockets) socket.destroy();
    expect(await model.generate(asking(), never)).toMatchObject({ text: 'Yes.' });
    expect([asked, sockets.size]).toEqual([2, 2]);
  });

  it('fail the call if they break after sending, without repeating the request', async () => {
    const server = await served({ faults: [null, faults.cutSocket] });
    const model = modelAt(server);
    await model.generate(asking(), never);
    expect(classifyFailure(await thrown(model.generate(asking(), never)))).toMatchObject({
      kind: 'network',
      retryable: true,
    });
    expect(server.requests.map(({ connection }) => connection)).toEqual([0, 0]);
    expect(await model.generate(asking(), never)).toMatchObject({ text: 'Yes.' });
  });

  it('fail the call if they break during an answer', async () => {
    const server = await served({ faults: [null, faults.cutBody] });
    const model = modelAt(server);
    await model.generate(asking(), never);
    expect(classifyFailure(await thrown(model.generate(asking(), never)))).toMatchObject({ kind: 'network' });
    expect(server.requests).toHaveLength(2);
  });
});

describe('providers', () => {
  const providers = [openai, ollama, vllm, lmstudio, openrouter];

  it('are the exports of the entry point, and accept names with their prefix', () => {
    const kinds = Object.values(entry).filter((value) => typeof value === 'object');
    expect(new Set(kinds)).toEqual(new Set(providers));
    for (const one of providers) {
      expect(providers.filter((provider) => provider.accepts(`${one.name}/a/b:c`))).toEqual([one]);
    }
    for (const name of ['openai/', 'openai', 'gemini-2.5-flash', 'x/y']) {
      expect(providers.filter((provider) => provider.accepts(name))).toEqual([]);
    }
  });

  it.each([
    [openai, 'OPENAI_BASE_URL', 'OPENAI_API_KEY'],
    [ollama, 'OLLAMA_BASE_URL', 'OLLAMA_API_KEY'],
    [vllm, 'VLLM_BASE_URL', 'VLLM_API_KEY'],
    [lmstudio, 'LMSTUDIO_BASE_URL', 'LMSTUDIO_API_KEY'],
    [openrouter, 'OPENROUTER_BASE_URL', 'OPENROUTER_API_KEY'],
  ])('$name uses the URL and key of the environment', async (provider, urlVariable, keyVariable) => {
    const server = await served({ models: ['a/b:c'] });
    vi.stubEnv(urlVariable, server.url);
    vi.stubEnv(keyVariable, 'test-key');
    const model = provider.create(`${provider.name}/a/b:c`, { temperature: 0.5 });
    expect(model.id).toBe(`${provider.name}/a/b:c`);
    expect(await model.generate(asking(), never)).toMatchObject({ text: 'Yes.' });
    expect(bodies(server)[0]).toMatchObject({ model: 'a/b:c', temperature: 0.5 });
    expect(model.access?.(process.env)).toMatchObject({
      service: expect.stringContaining(`${server.url}/v1`),
      credentials: keyVariable,
      problems: [],
    });
  });

  it.each([
    [openai, 'OpenAI at https://api.openai.com/v1', ['OPENAI_API_KEY']],
    [ollama, 'Ollama at http://127.0.0.1:11434/v1', []],
    [vllm, 'vLLM at http://127.0.0.1:8000/v1', []],
    [lmstudio, 'LM Studio at http://127.0.0.1:1234/v1', []],
    [openrouter, 'OpenRouter at https://openrouter.ai/api/v1', ['OPENROUTER_API_KEY']],
  ])('$name has a default URL', (provider, service, missing) => {
    const access = provider.create(`${provider.name}/m`, {}).access?.({});
    expect(access).toMatchObject({ service, credentials: null });
    expect(access?.problems).toEqual(
      missing.map((name) => ({ code: 'MISSING_ENVIRONMENT', message: expect.stringContaining(`set ${name}`) })),
    );
  });

  it('require no key with an explicit URL', () => {
    const access = openai.create('openai/m', {}).access?.({ OPENAI_BASE_URL: 'http://127.0.0.1:1/proxy?team=secret' });
    expect(access).toEqual({ service: 'OpenAI at http://127.0.0.1:1/proxy', credentials: null, problems: [] });
  });

  it('reject a call without a key', async () => {
    for (const name of ['OPENAI_API_KEY', 'OPENAI_BASE_URL']) vi.stubEnv(name, undefined);
    const error = await thrown(openai.create('openai/m', {}).generate(asking(), never));
    expect(error).toMatchObject({ code: 'MISSING_ENVIRONMENT' });
  });

  it.each([
    ['localhost:1', 'is not a URL'],
    ['http://user:password@127.0.0.1', 'contains a user name or password'],
  ])('name the base URL %s in errors', async (url, text) => {
    const [problem] = vllm.create('vllm/m', {}).access?.({ VLLM_BASE_URL: url })?.problems ?? [];
    expect(problem).toEqual({ code: 'INVALID_CONFIG', message: expect.stringContaining(`VLLM_BASE_URL ${text}`) });
    const error = await thrown(openAiCompatible({ baseUrl: url, model: 'm' }).generate(asking(), never));
    expect(String(error)).toContain(`the option baseUrl ${text}`);
    expect(String(error)).not.toContain('password@');
  });

  it.each([
    ['', 'http://127.0.0.1:11434/v1'],
    ['0.0.0.0', 'http://127.0.0.1:11434/v1'],
    ['0.0.0.0:8080', 'http://127.0.0.1:8080/v1'],
    [':8080', 'http://127.0.0.1:8080/v1'],
    ['example.com', 'http://example.com:11434/v1'],
    ['constructor', 'http://constructor:11434/v1'],
    ['example.com:', 'http://example.com:11434/v1'],
    ['httpserver:1', 'http://httpserver:1/v1'],
    ['http://example.com', 'http://example.com:80/v1'],
    ['https://example.com', 'https://example.com:443/v1'],
    ['HTTPS://example.com/ollama/', 'HTTPS://example.com:443/ollama/v1'],
    ['example.com/ollama', 'http://example.com:11434/ollama/v1'],
    ['[::1]', 'http://[::1]:11434/v1'],
    ['[::]:9', 'http://[::1]:9/v1'],
    ['::1', 'http://[::1]:11434/v1'],
    [' "127.0.0.1:9" ', 'http://127.0.0.1:9/v1'],
  ])('accept OLLAMA_HOST=%s', (host, url) => {
    expect(ollamaUrl(host)).toBe(url);
  });

  it('find Ollama through OLLAMA_HOST, unless OLLAMA_BASE_URL is set', () => {
    const model = ollama.create('ollama/m', {});
    const host = { OLLAMA_HOST: '0.0.0.0:9' };
    expect(model.access?.(host)).toMatchObject({ service: 'Ollama at http://127.0.0.1:9/v1', problems: [] });
    expect(model.access?.({ ...host, OLLAMA_BASE_URL: 'http://gpu:1' }).service).toBe('Ollama at http://gpu:1/v1');
    expect(model.access?.({ OLLAMA_HOST: 'a b' }).problems).toMatchObject([
      { code: 'INVALID_CONFIG', message: expect.stringContaining('OLLAMA_HOST is not a URL') },
    ]);
  });
});
