import { afterEach, describe, expect, it } from 'vitest';
import type { Asked } from './answers.ts';
import { type FakeServer, faults, fittingAnswer, geminiFaults, startFakeGemini, startFakeOpenAi } from './index.ts';

const open: FakeServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function opened(starting: Promise<FakeServer>): Promise<FakeServer> {
  const server = await starting;
  open.push(server);
  return server;
}

interface Sent {
  readonly body?: unknown;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function post(server: FakeServer, { body, path, headers }: Sent) {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, text, json: () => JSON.parse(text) };
}

const contents = [{ role: 'user', parts: [{ text: 'Is it so?' }] }];
const geminiPath = '/v1beta/models/gemini-2.5-flash:generateContent';
const askGemini = (server: FakeServer, sent: Sent = {}) =>
  post(server, { body: { contents }, path: geminiPath, headers: { 'x-goog-api-key': 'test-key' }, ...sent });

const messages = [{ role: 'user', content: 'Is it so?' }];
const askOpenAi = (server: FakeServer, more: object = {}, sent: Sent = {}) =>
  post(server, {
    body: { model: 'test-model', messages, ...more },
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer test-key' },
    ...sent,
  });

describe('the fake Gemini', () => {
  it('answers according to the request and records it', async () => {
    const asked: Asked[] = [];
    const server = await opened(
      startFakeGemini({
        answer(question) {
          asked.push(question);
          return { text: 'yes', thoughts: 'hm', usage: { input: 10, output: 5, reasoning: 2 } };
        },
      }),
    );
    const body = {
      contents,
      systemInstruction: { parts: [{ text: 'Judge.' }] },
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema: { type: 'string' } },
    };
    await askGemini(server, { body });
    const { json } = await askGemini(server, { body });
    expect(json()).toMatchObject({
      candidates: [{ content: { parts: [{ text: 'hm', thought: true }, { text: 'yes' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 3, thoughtsTokenCount: 2, totalTokenCount: 15 },
    });
    const question = { model: 'gemini-2.5-flash', system: 'Judge.', text: 'Is it so?', schema: { type: 'string' } };
    expect(asked).toEqual([
      { ...question, sample: 0 },
      { ...question, sample: 1 },
    ]);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: geminiPath, body, aborted: false });
  });

  it.each([
    ['a missing key', { headers: {} }, 403, 'unregistered callers'],
    ['a wrong key', { headers: { 'x-goog-api-key': 'other' } }, 400, 'API key not valid'],
    ['a wrong token', { headers: { authorization: 'Bearer other' } }, 401, 'invalid authentication'],
    ['an unknown model', { path: '/v1beta/models/gemini-1.0:generateContent' }, 404, 'is not found for API version'],
    ['another path', { path: '/v2/models/gemini-2.5-flash:generateContent' }, 404, '<html>'],
    ['an unknown field', { body: { contents, foo: 1 } }, 400, 'Unknown name \\"foo\\": Cannot find field'],
    [
      'an unknown field of generationConfig',
      { body: { contents, generationConfig: { topQ: 1 } } },
      400,
      'Unknown name \\"topQ\\" at \'generation_config\'',
    ],
    ['no contents', { body: {} }, 400, 'contents is not specified'],
    [
      'a schema without its MIME type',
      { body: { contents, generationConfig: { responseJsonSchema: {} } } },
      400,
      'response_mime_type must be set',
    ],
  ])('rejects %s', async (_what, sent: Sent, status, text) => {
    const answer = await askGemini(await opened(startFakeGemini()), sent);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(text);
  });

  it.each([
    ['/v1beta1/projects/p/locations/l/publishers/google/models/gemini-2.5-flash:generateContent', 'Bearer test-token'],
    ['/v1beta1/publishers/google/models/gemini-2.5-flash:generateContent', undefined],
  ])('answers like Vertex AI at %s', async (path, authorization) => {
    const headers: Record<string, string> =
      authorization === undefined ? { 'x-goog-api-key': 'test-key' } : { authorization };
    expect(await askGemini(await opened(startFakeGemini()), { path, headers })).toMatchObject({ status: 200 });
  });

  it('returns no candidate for a blocked prompt, and no parts for an answer without text', async () => {
    const said = [{ blockReason: 'SAFETY' }, { empty: true }, { finish: 'length' }, { text: 'a', finish: 'blocked' }];
    const server = await opened(startFakeGemini({ answer: () => said.shift() ?? '' }));
    const bodies = [];
    for (let count = 0; count < 4; count++) bodies.push((await askGemini(server)).json());
    expect(bodies[0]).toMatchObject({ promptFeedback: { blockReason: 'SAFETY' } });
    expect(bodies[0]).not.toHaveProperty('candidates');
    expect(bodies[1]).not.toHaveProperty('candidates');
    expect(bodies[2].candidates).toEqual([{ content: { role: 'model' }, finishReason: 'MAX_TOKENS', index: 0 }]);
    expect(bodies[3].candidates[0].finishReason).toBe('SAFETY');
  });
});

describe('the fake OpenAI', () => {
  it("answers in OpenAI's format", async () => {
    const server = await opened(
      startFakeOpenAi({
        answer: () => ({ text: 'yes', thoughts: 'hm', usage: { input: 9, cachedInput: 4, output: 2 } }),
      }),
    );
    expect((await askOpenAi(server)).json()).toMatchObject({
      choices: [{ message: { content: 'yes', reasoning_content: 'hm' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } },
    });
  });

  const strictly = (schema: object) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
  });
  const properties = { a: { type: 'string' } };

  it.each([
    ['an unknown argument', { foo: 1 }, 400, 'Unrecognized request argument supplied: foo'],
    ['an unknown model', { model: 'other' }, 404, 'does not exist'],
    ['no message', { messages: [] }, 400, 'messages'],
    [
      'a JSON object that the prompt does not mention',
      { response_format: { type: 'json_object' } },
      400,
      "the word 'json'",
    ],
    ['a lax schema called strict', strictly({ type: 'object', properties }), 400, 'strict mode'],
  ])('rejects %s', async (_what, more, status, text) => {
    const answer = await askOpenAi(await opened(startFakeOpenAi()), more);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(text);
  });

  it('accepts a strict schema', async () => {
    const schema = { type: 'object', properties, required: ['a'], additionalProperties: false };
    const { json } = await askOpenAi(await opened(startFakeOpenAi()), strictly(schema));
    expect(JSON.parse(json().choices[0].message.content)).toEqual({ a: expect.any(String) });
  });

  it('requires a key unless it is null', async () => {
    const locked = await opened(startFakeOpenAi());
    expect(await askOpenAi(locked, {}, { headers: {} })).toMatchObject({ status: 401 });
    expect(await askOpenAi(locked, {}, { headers: { authorization: 'Bearer other' } })).toMatchObject({ status: 401 });
    const free = await opened(startFakeOpenAi({ key: null }));
    expect(await askOpenAi(free, {}, { headers: {} })).toMatchObject({ status: 200 });
  });

  it('accepts only the response formats and token limit in its options', async () => {
    const server = await opened(startFakeOpenAi({ formats: ['json_object'], tokenLimit: 'max_completion_tokens' }));
    expect((await askOpenAi(server, strictly({}))).text).toContain("'response_format' of type 'json_schema'");
    expect((await askOpenAi(server, { max_tokens: 5 })).text).toContain("Use 'max_completion_tokens' instead");
    expect(await askOpenAi(server, { max_completion_tokens: 5 })).toMatchObject({ status: 200 });
  });
});

describe('faults of a fake server', () => {
  it('occur in order, after which requests succeed', async () => {
    const server = await opened(
      startFakeGemini({ faults: [geminiFaults.rateLimit(3), null, geminiFaults.dailyQuota, faults.badGateway] }),
    );
    const answers = [];
    for (let count = 0; count < 5; count++) answers.push(await askGemini(server));
    expect(answers.map(({ status }) => status)).toEqual([429, 200, 429, 502, 200]);
    expect(answers[0]?.json().error.details.at(-1)).toMatchObject({ retryDelay: '3s' });
    expect(answers[2]?.json().error.details[0].violations[0].quotaId).toContain('PerDay');
    expect(answers[3]?.text).toMatch(/^<html>/);
    server.fail(geminiFaults.overloaded);
    expect(await askGemini(server)).toMatchObject({ status: 503 });
  });

  it('close the connection before or during the answer', async () => {
    const server = await opened(startFakeGemini({ faults: [faults.cutSocket, faults.cutBody] }));
    await expect(askGemini(server)).rejects.toThrow('fetch failed');
    await expect(askGemini(server)).rejects.toThrow('terminated');
  });

  it('hang, and record that the client closed the connection', async () => {
    const server = await opened(startFakeGemini({ faults: [faults.hang] }));
    const controller = new AbortController();
    const asking = fetch(server.url + geminiPath, { method: 'POST', body: '{}', signal: controller.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort();
    await expect(asking).rejects.toThrow('aborted');
    await expect.poll(() => server.requests[0]?.aborted).toBe(true);
  });

  it('can be returned by the answer function, and slow answers arrive in full', async () => {
    const server = await opened(
      startFakeGemini({
        faults: [null, { slow: 50 }],
        answer: ({ sample }) => (sample === 0 ? faults.brokenJson : 'ok'),
      }),
    );
    expect((await askGemini(server)).json).toThrow(SyntaxError);
    expect((await askGemini(server)).json().candidates[0].content.parts).toEqual([{ text: 'ok' }]);
  });
});

it('a fake server has configurable latency, and counts connections and concurrent requests', async () => {
  const server = await opened(startFakeGemini({ latency: 100 }));
  const started = performance.now();
  await Promise.all([askGemini(server), askGemini(server), askGemini(server)]);
  expect(performance.now() - started).toBeGreaterThan(95);
  expect(server.mostAtOnce).toBe(3);
  // The client may open another connection while the last one is being returned to its pool.
  for (let count = 0; count < 5; count++) await askGemini(server);
  expect(server.connections).toBeLessThan(6);
});

describe('fittingAnswer()', () => {
  const schema = {
    type: 'object',
    properties: {
      reason: { type: 'string' },
      verdict: { enum: ['valid', 'invalid'] },
      rubrics: {
        type: 'array',
        items: { type: 'object', properties: { id: { enum: ['a', 'b'] }, verdict: { $ref: '#/$defs/verdict' } } },
      },
      sentences: { type: 'array', minItems: 2, items: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] } },
      sure: { type: ['boolean', 'null'] },
    },
    $defs: { verdict: { enum: ['yes', 'no'] } },
  };
  const asked: Asked = { model: 'm', system: '', text: '', schema, sample: 3 };

  it('returns the first of all possible values', async () => {
    expect(JSON.parse(String(await fittingAnswer()(asked)))).toEqual({
      reason: expect.any(String),
      verdict: 'valid',
      rubrics: [
        { id: 'a', verdict: 'yes' },
        { id: 'b', verdict: 'yes' },
      ],
      sentences: [1, 1],
      sure: true,
    });
  });

  it('returns values chosen by path and request', async () => {
    const answer = fittingAnswer((path, { sample }) =>
      path === '$.rubrics[1].verdict' && sample === 3 ? 'no' : undefined,
    );
    expect(JSON.parse(String(await answer(asked))).rubrics[1]).toEqual({ id: 'b', verdict: 'no' });
  });

  it('returns plain text if there is no schema', async () => {
    expect(await fittingAnswer()({ ...asked, schema: null })).toBe('Yes.');
  });
});
