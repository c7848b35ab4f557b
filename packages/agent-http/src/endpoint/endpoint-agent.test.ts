import {
  type Agent,
  CriteriaError,
  contentText,
  defineCriterion,
  type Json,
  noOptions,
  toolCalls,
  toolResponses,
} from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { evaluate } from '@agent-criteria/runner';
import { type FakeServer, type Fault, faults, type SeenRequest, startServer } from '@agent-criteria/test-servers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { endpointAgent } from '../pure.ts';
import type { EndpointOptions } from './options.ts';

const open: FakeServer[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serve(handle: (request: SeenRequest) => Fault, faulty: readonly (Fault | null)[] = []) {
  const server = await startServer({ faults: faulty }, handle);
  open.push(server);
  return server;
}

const json = (body: object): Fault => ({ status: 200, body });
const stream = (events: readonly (string | object)[]): Fault => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream; charset=utf-8' },
  body: events
    .map((event) => (typeof event === 'string' ? event : `data: ${JSON.stringify(event)}`))
    .map((event) => `${event}\n\n`)
    .join(''),
});

/** Passes if the answer equals the expected one. */
const sameAnswer = defineCriterion({
  name: 'same_answer',
  origin: { package: 'test', version: '1.0.0' },
  description: 'The answer is the one that was expected.',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  evaluate: ({ actual, expected }) => ({
    value: Number(contentText(actual.finalResponse) === contentText(expected?.finalResponse)),
    reason: 'compared',
  }),
});

const never = new AbortController().signal;
const key = { setId: 'set', caseId: 'case', repeat: 0 };
const user = (text: string) => ({ role: 'user', parts: [{ text }] });

function begin(agent: Agent, more: Partial<Parameters<Agent['open']>[0]> = {}, signal = never) {
  return agent.open({ key, userId: 'ann', state: {}, ...more }, signal);
}

/** Sends one message to an endpoint that gives this answer. */
async function turnOf(answer: Fault, options: Omit<EndpointOptions, 'url'>, text = 'Hello') {
  const server = await serve(() => answer);
  const session = await begin(endpointAgent({ url: `${server.url}/chat`, ...options }));
  return session.send(user(text));
}

async function failureOf(work: Promise<unknown>): Promise<CriteriaError> {
  const error = await work.then(
    (value) => new Error(`it worked: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!CriteriaError.is(error)) throw error;
  return error;
}

function problemsOf(options: object): string {
  try {
    endpointAgent(options as EndpointOptions);
    return '';
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    return error.problems.map(({ message }) => message).join('\n');
  }
}

describe('endpointAgent() with an endpoint that answers JSON', () => {
  it('finds the answer, calls with results, and tokens by their paths', async () => {
    const body = {
      output: { text: 'It is 3 degrees.' },
      actions: [
        { tool: { id: 'look_up' }, input: { city: 'Rome' }, outcome: { temp: 3 } },
        { tool: { id: 'log' }, input: {}, failure: 'disk full' },
      ],
      tokens: { input_tokens: 12, output_tokens: 5 },
      llm: 'gpt-x',
    };
    const turn = await turnOf(json(body), {
      answer: '$.output.text',
      calls: { path: '$.actions', name: 'tool.id', args: 'input', result: 'outcome', error: 'failure' },
      usage: '$.tokens',
      model: '$.llm',
    });
    expect(turn.error).toBeUndefined();
    expect(contentText(turn.invocation.finalResponse)).toBe('It is 3 degrees.');
    expect(toolCalls(turn.invocation)).toStrictEqual([
      { name: 'look_up', args: { city: 'Rome' } },
      { name: 'log', args: {} },
    ]);
    expect(toolResponses(turn.invocation)).toStrictEqual([
      { name: 'look_up', response: { temp: 3 } },
      { name: 'log', response: { error: 'disk full' } },
    ]);
    const events = Object(turn.invocation.intermediateData).invocationEvents;
    expect(events.at(-1)).toMatchObject({ modelVersion: 'gpt-x', usageMetadata: { totalTokenCount: 17 } });
  });

  it('reads a chat completion of OpenAI, with calls in its own spelling', async () => {
    const body = {
      model: 'gpt-x',
      choices: [
        {
          finish_reason: 'length',
          message: {
            role: 'assistant',
            content: 'I have booked it',
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'book', arguments: '{"room":12}' } }],
          },
        },
      ],
      usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
    };
    const turn = await turnOf(json(body), {
      answer: '$.choices[0].message.content',
      calls: '$.choices[0].message.tool_calls',
      finishReason: '$.choices[0].finish_reason',
      usage: '$.usage',
      model: '$.model',
    });
    expect(toolCalls(turn.invocation)).toStrictEqual([{ id: 'c1', name: 'book', args: { room: 12 } }]);
    expect(turn.cutOff).toBe('length');
  });

  it('reads a response of OpenAI, and pairs the outputs of functions with their calls', async () => {
    const body = {
      id: 'resp_1',
      error: null,
      output: [
        { type: 'reasoning', summary: [] },
        {
          type: 'function_call',
          id: 'fc_1',
          call_id: 'c1',
          name: 'book',
          arguments: '{"room":12}',
          status: 'completed',
        },
        { type: 'function_call_output', call_id: 'c1', output: '{"booked":true}' },
        {
          type: 'message',
          content: [
            { type: 'output_text', text: 'Room 12 ' },
            { type: 'output_text', text: 'is yours.' },
          ],
        },
      ],
    };
    const turn = await turnOf(json(body), {
      answer: '$.output[*].content[*].text',
      calls: { path: '$.output', where: { type: 'function_call' } },
      results: { path: '$.output', where: { type: 'function_call_output' }, id: 'call_id', result: 'output' },
      session: '$.id',
    });
    expect(contentText(turn.invocation.finalResponse)).toBe('Room 12 is yours.');
    expect(toolResponses(turn.invocation)).toStrictEqual([{ id: 'c1', name: 'book', response: { booked: true } }]);
  });

  it('fills the body with the message, the session, the user, the state and the history', async () => {
    const server = await serve(({ body }) => json({ text: `you said ${Object(body).q}` }));
    const agent = endpointAgent({
      url: `${server.url}/u/{{user.id}}?s={{session.id}}`,
      body: {
        q: '{{message}}',
        note: 'to {{session.id}} in {{state.city}}',
        state: '{{state}}',
        days: '{{state.days}}',
        nothing: '{{state.nothing}}',
        messages: [{ role: 'system', content: 'Be kind.' }, '{{history}}', { role: 'user', content: '{{message}}' }],
        stream: false,
      },
      answer: '$.text',
    });
    expect(agent.supportsHistory).toBe(true);
    const state = { city: 'Rome', days: [1, 2] };
    const earlier = { invocation: { userContent: user('Hi'), finalResponse: { parts: [{ text: 'Hello!' }] } } };
    const session = await begin(agent, { state, sessionId: 's 1', userId: 'a/b', history: [earlier] });
    await session.send(user('one "{{history}}"'));
    await session.send(user('two'));
    expect(server.requests[0]?.path).toBe('/u/a%2Fb?s=s%201');
    expect(server.requests[0]?.body).toStrictEqual({
      q: 'one "{{history}}"',
      note: 'to s 1 in Rome',
      state,
      days: [1, 2],
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello!' },
        { role: 'user', content: 'one "{{history}}"' },
      ],
      stream: false,
    });
    expect(Object(server.requests[1]?.body).messages).toHaveLength(6);
    expect(await session.state()).toBeNull();
  });

  it('continues the session whose id the first answer has', async () => {
    let count = 0;
    const server = await serve(() => json({ text: 'ok', thread: { id: `t-${++count}` } }));
    const agent = endpointAgent({
      url: server.url,
      body: { message: '{{message}}', thread: '{{session.id}}' },
      answer: 'text',
      session: 'thread.id',
    });
    expect(agent.supportsHistory).toBe(false);
    const session = await begin(agent);
    await session.send(user('one'));
    await session.send(user('two'));
    expect(server.requests.map(({ body }) => body)).toStrictEqual([
      { message: 'one' },
      { message: 'two', thread: 't-1' },
    ]);
  });

  it('gives each session an id of its own by default', async () => {
    const server = await serve(() => json({ text: 'ok' }));
    const agent = endpointAgent({ url: server.url, answer: 'text' });
    for (const _ of [1, 2]) await (await begin(agent)).send(user('Hello'));
    const ids = server.requests.map(({ body }) => Object(body).session_id);
    expect(new Set(ids).size).toBe(2);
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('records the state of the answer, and sends it with the next message', async () => {
    const server = await serve(({ body }) => json({ text: 'ok', vars: { count: Object(body).vars.count + 1 } }));
    const body = { vars: '{{state}}' };
    const session = await begin(endpointAgent({ url: server.url, body, answer: 'text', state: 'vars' }), {
      state: { count: 1 },
    });
    await session.send(user('one'));
    expect(await session.state()).toStrictEqual({ count: 2 });
    await session.changeState?.({ count: 7 });
    await session.send(user('two'));
    expect(await session.state()).toStrictEqual({ count: 8 });
  });

  it('sends headers from environment variables, and masks them in what the server says', async () => {
    vi.stubEnv('MY_AGENT_KEY', 'horse-battery-staple');
    const server = await serve(() => ({ status: 500, body: { error: 'bad key horse-battery-staple' } }));
    const options = { url: server.url, answer: 'text', headers: { 'X-Key': 'Key {{env.MY_AGENT_KEY}}' } };
    const error = await failureOf((await begin(endpointAgent(options))).send(user('Hello')));
    expect(server.requests[0]?.headers['x-key']).toBe('Key horse-battery-staple');
    expect(error.message).toMatch(/answered 500: bad key \[redacted\]/);
  });

  it('names a variable that is not set before a run begins', async () => {
    vi.stubEnv('MY_AGENT_KEY', '');
    const options = { url: 'http://127.0.0.1:1', answer: 'text', headers: { 'x-key': '{{env.MY_AGENT_KEY}}' } };
    const problems = await endpointAgent(options).check?.();
    expect(problems?.map(({ message }) => message)).toStrictEqual([
      'the environment variable MY_AGENT_KEY is not set: the header "x-key" of the agent needs it',
    ]);
  });

  it('gets a URL with the message in its query, without a body', async () => {
    const server = await serve(() => json({ text: 'ok' }));
    const options = { url: `${server.url}/ask?q={{message}}`, method: 'GET', answer: 'text' } as const;
    await (await begin(endpointAgent(options))).send(user('a&b'));
    expect(server.requests[0]).toMatchObject({ method: 'GET', path: '/ask?q=a%26b', body: '' });
  });

  it('builds the body by a function', async () => {
    const server = await serve(() => json({ text: 'ok' }));
    const body = ({ message, history }: { message: string; history: readonly unknown[] }): Json => [
      message,
      history.length,
    ];
    await (await begin(endpointAgent({ url: server.url, body, answer: 'text' }))).send(user('Hello'));
    expect(server.requests[0]?.body).toStrictEqual(['Hello', 0]);
  });

  it('records an answer that is not text as JSON, and one that is null as no answer', async () => {
    const structured = await turnOf(json({ data: { city: 'Rome' } }), { answer: 'data' });
    expect(contentText(structured.invocation.finalResponse)).toBe('{"city":"Rome"}');
    const silent = await turnOf(json({ text: null }), { answer: 'text' });
    expect(silent).toMatchObject({ invocation: { finalResponse: null } });
    expect(silent.error).toBeUndefined();
  });
});

describe('endpointAgent() with an endpoint that streams', () => {
  it('appends pieces of text, shows them as they arrive, and reads calls of chosen events', async () => {
    const events = [
      'event: start\ndata: {"run":{"id":"r-1"}}',
      { type: 'text', delta: 'Zür' },
      ': keep-alive',
      { type: 'thinking', delta: 'not this' },
      { type: 'call.added', item: { name: 'book', arguments: '' } },
      { type: 'call.done', item: { name: 'book', arguments: '{"room":12}', output: 'yes' } },
      { type: 'text', delta: 'ich ☀' },
      { type: 'done', usage: { input_tokens: 3, output_tokens: 4 } },
      'data: [DONE]',
    ];
    const server = await serve(() => stream(events), [{ slow: 60 }]);
    const agent = endpointAgent({
      url: server.url,
      delta: { path: '$.delta', event: 'text' },
      calls: { path: '$.item', event: 'call.done' },
      usage: '$.usage',
      session: { path: 'run.id', event: 'start' },
      name: 'streamer',
    });
    const seen: Json[] = [];
    const turn = await (await begin(agent)).send(user('Hello'), { onEvent: (event) => seen.push(event) });
    expect(contentText(turn.invocation.finalResponse)).toBe('Zürich ☀');
    expect(toolCalls(turn.invocation)).toStrictEqual([{ name: 'book', args: { room: 12 } }]);
    expect(seen.slice(0, 2)).toStrictEqual(
      ['Zür', 'ich ☀'].map((text) => ({
        author: 'streamer',
        partial: true,
        content: { role: 'model', parts: [{ text }] },
      })),
    );
    expect(seen.at(-1)).toStrictEqual({
      author: 'streamer',
      content: { role: 'model', parts: [{ text: 'Zürich ☀' }] },
    });
  });

  it('reads the pieces of a chat completion of OpenAI', async () => {
    const chunk = (delta: object) => ({ choices: [{ index: 0, delta, finish_reason: null }], usage: null });
    const turn = await turnOf(
      stream([
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: 'Hel' }),
        chunk({ content: 'lo' }),
        { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: null },
        { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
        'data: [DONE]',
      ]),
      { delta: '$.choices[0].delta.content', finishReason: '$.choices[0].finish_reason', usage: '$.usage' },
    );
    expect(contentText(turn.invocation.finalResponse)).toBe('Hello');
    expect(turn.cutOff).toBeUndefined();
    expect(Object(turn.invocation.intermediateData).invocationEvents).toHaveLength(1);
  });

  describe('in the shape of responses of OpenAI', () => {
    const finished = 'response.completed';
    const options: Omit<EndpointOptions, 'url'> = {
      body: { input: '{{message}}', previous_response_id: '{{session.id}}', stream: true },
      delta: { path: '$.delta', event: 'response.output_text.delta' },
      answer: { path: '$.response.output[*].content[*].text', event: finished },
      calls: { path: '$.response.output', event: finished, where: { type: 'function_call' } },
      usage: { path: '$.response.usage', event: finished },
      model: { path: '$.response.model', event: finished },
      finishReason: '$.response.status',
      session: '$.response.id',
      error: '$.response.error',
    };
    const response = (status: string, more: object = {}) => ({
      type: `response.${status === 'in_progress' ? 'created' : status}`,
      response: { id: 'resp_1', status, error: null, output: [], usage: null, model: 'gpt-x', ...more },
    });
    const call = { type: 'function_call', call_id: 'c1', name: 'book', arguments: '{"room":12}' };
    const pieces = ['Room ', '12'].map((delta) => ({ type: 'response.output_text.delta', delta }));

    it('reads the answer, calls, tokens and session', async () => {
      const message = { type: 'message', content: [{ type: 'output_text', text: 'Room 12' }] };
      const usage = { input_tokens: 3, output_tokens: 2 };
      const server = await serve(() =>
        stream([
          response('in_progress'),
          { type: 'response.output_item.added', item: { ...call, arguments: '' } },
          ...pieces,
          response('completed', { output: [call, message], usage }),
        ]),
      );
      const session = await begin(endpointAgent({ url: server.url, ...options }));
      const turn = await session.send(user('Hello'));
      expect(contentText(turn.invocation.finalResponse)).toBe('Room 12');
      expect(toolCalls(turn.invocation)).toStrictEqual([{ id: 'c1', name: 'book', args: { room: 12 } }]);
      expect(turn.cutOff).toBeUndefined();
      expect(JSON.stringify(turn.invocation)).toContain('"totalTokenCount":5');
      await session.send(user('Thanks'));
      expect(server.requests[1]?.body).toMatchObject({ input: 'Thanks', previous_response_id: 'resp_1' });
    });

    it('marks a response as incomplete that ended early, and fails one that failed', async () => {
      const early = await turnOf(stream([response('in_progress'), ...pieces, response('incomplete')]), options);
      expect(early).toMatchObject({
        cutOff: 'incomplete',
        invocation: { finalResponse: { parts: [{ text: 'Room 12' }] } },
      });
      const broken = await turnOf(stream([response('in_progress'), ...pieces]), options);
      expect(broken.cutOff).toBe('in_progress');
      const failed = await turnOf(
        stream([...pieces, response('failed', { error: { message: 'overloaded' } })]),
        options,
      );
      expect(failed.error?.message).toContain('the agent failed: overloaded');
    });
  });

  it('prefers the whole answer to its pieces', async () => {
    const events = [{ delta: 'I gue' }, { delta: 'ss' }, { text: 'I know.' }];
    const turn = await turnOf(stream(events), { answer: 'text', delta: 'delta' });
    expect(contentText(turn.invocation.finalResponse)).toBe('I know.');
  });

  it('reads events that are plain text', async () => {
    const events = ['data: There are ', 'data: 12', 'data: ', 'data:  {rooms'];
    const turn = await turnOf(stream(events), { delta: '$' });
    expect(contentText(turn.invocation.finalResponse)).toBe('There are 12 {rooms');
  });

  it.each<[string, readonly (string | object)[], RegExp]>([
    ['an error among the events', [{ delta: 'So ' }, { error: { message: 'overloaded' } }], /agent failed: overloaded/],
    [
      'an event of broken JSON',
      [{ delta: 'So ' }, 'data: {"delta": "fa'],
      /an event is broken: the answer is not JSON/,
    ],
  ])('keeps what came before %s, but not as an answer', async (_, events, message) => {
    const turn = await turnOf(stream([{ calls: [{ name: 'book' }] }, ...events]), { delta: 'delta', calls: 'calls' });
    expect(turn.error).toMatchObject({ code: 'AGENT_FAILED', message: expect.stringMatching(message) });
    expect(turn.invocation.finalResponse).toBeNull();
    expect(toolCalls(turn.invocation)).toHaveLength(1);
    expect(JSON.stringify(turn.invocation)).toContain('So ');
  });

  it('describes the kinds of events if no path of the answer found anything', async () => {
    const turn = await turnOf(stream([{ type: 'a', text: 'x' }, { type: 'a', text: 'y' }, 'event: b\ndata: {}']), {
      delta: '$.delta',
    });
    expect(turn.error?.message).toMatch(
      /delta \(\$\.delta\) found nothing: what came is "a" \{ type: string, text: string \}; "b" \{\}/,
    );
  });
});

describe('endpointAgent() with an endpoint that fails', () => {
  const failing = async (fault: Fault, options: Partial<EndpointOptions> = {}) => {
    const server = await serve(() => json({}), [fault]);
    return failureOf(
      (await begin(endpointAgent({ url: `${server.url}/chat?k=1`, answer: 'text', ...options }))).send(user('Hi')),
    );
  };

  it.each<[string, Fault, RegExp]>([
    [
      'an error of the server',
      { status: 500, body: { message: 'boom' } },
      /answered 500: boom; check the server's log/,
    ],
    ['denied access', { status: 401, body: { detail: 'no' } }, /answered 401: no; add a header .*\{\{env\.…\}\}/],
    [
      'a redirect',
      { status: 302, headers: { location: 'https://sso.example/login?t=1' }, body: '' },
      /redirects to https:\/\/sso\.example\/login \(302\), which is not followed/,
    ],
    ['broken JSON', faults.brokenJson, /the answer is not JSON: "\{/],
    ['a page', faults.badGateway, /answered 502/],
    [
      'a page with status 200',
      { status: 200, body: '<html><title>Sign in</title></html>' },
      /not JSON: is this the URL of the endpoint\?/,
    ],
    ['a closed connection', faults.cutSocket, /closed the connection without an answer/],
  ])('says what is wrong for %s', async (_, fault, message) => {
    const error = await failing(fault);
    expect(error.message).toMatch(message);
    expect(error.problems[0]?.file).toMatch(/^POST http:\/\/127\.0\.0\.1:\d+\/chat$/);
  });

  it('names the path that found nothing and the shape of what came, without its values', async () => {
    const turn = await turnOf(json({ output: [{ txt: 'secret words', n: 1 }], id: 'x' }), { answer: '$.output.text' });
    expect(turn.error?.message).toMatch(
      /answer \(\$\.output\.text\) found nothing: what came is \{ output: \[\{ txt: string, n: number \}\], id: string \}/,
    );
    expect(turn.error?.message).not.toContain('secret');
  });

  it('fails the turn for an error inside a 200, and for calls that cannot be read', async () => {
    const refused = await turnOf(json({ text: 'Sorry', error: 'quota' }), { answer: 'text' });
    expect(refused.error?.message).toContain('the agent failed: quota');
    const odd = await turnOf(json({ text: 'ok', calls: [{ tool: 'x' }] }), { answer: 'text', calls: 'calls' });
    expect(odd.error?.message).toMatch(/calls: a tool call must be an object with a name.*it is \{ tool: string \}/);
  });

  it('fails the turn if the first answer has no id of the session', async () => {
    const turn = await turnOf(json({ text: 'ok' }), { answer: 'text', session: '$.thread_id' });
    expect(turn.error?.message).toMatch(/session \(\$\.thread_id\) found no id in the first answer/);
  });

  it('stops at an answer that is too large', async () => {
    const error = await failing({ status: 200, body: { text: 'x'.repeat(5000) } }, { maxAnswerBytes: 1000 });
    expect(error.message).toMatch(/larger than the limit of 1000 bytes \(maxAnswerBytes\)/);
  });

  it('ends a turn whose time is up', async () => {
    const error = await failing(faults.hang, { turnTimeout: '30ms' });
    expect(error).toMatchObject({ code: 'TIMEOUT' });
    expect(error.message).toMatch(/did not answer within 30 ms/);
  });

  it('closes the request when the turn is aborted, and throws the reason', async () => {
    const server = await serve(() => json({}), [faults.hang]);
    const stop = new AbortController();
    const turn = (await begin(endpointAgent({ url: server.url, answer: 'text' }))).send(user('Hi'), {
      signal: stop.signal,
    });
    await vi.waitFor(() => expect(server.requests).toHaveLength(1));
    const reason = new Error('enough');
    stop.abort(reason);
    await expect(turn).rejects.toBe(reason);
    await vi.waitFor(() => expect(server.requests[0]?.aborted).toBe(true));
  });

  it('refuses what the body does not send: state, and files', async () => {
    const agent = endpointAgent({ url: 'http://127.0.0.1:1', answer: 'text' });
    expect(await failureOf(begin(agent, { state: { city: 'Rome' } }))).toMatchObject({ code: 'NOT_SUPPORTED' });
    expect(agent.supportsFiles).toBe(false);
    const file = { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }] };
    const error = await failureOf((await begin(agent)).send(file));
    expect(error.message).toMatch(/has a file, .*put \{\{content\}\} into its body/);
  });

  it('does not let a value leave the path of the URL', async () => {
    const agent = endpointAgent({ url: 'http://127.0.0.1:1/threads/{{session.id}}/messages', answer: 'text' });
    const error = await failureOf((await begin(agent, { sessionId: '..' })).send(user('Hi')));
    expect(error.message).toMatch(/is "\.\.", which cannot be part of the path/);
  });
});

describe('a run of endpointAgent()', () => {
  it('scores answers in separate sessions, and none of a turn that failed', async () => {
    const server = await serve(({ body }) =>
      Object(body).message === 'break' ? { status: 503, body: 'busy' } : json({ text: `so: ${Object(body).message}` }),
    );
    const turn = (text: string) => ({ user: text, answer: `so: ${text}` });
    const result = await evaluate({
      agent: endpointAgent({ url: server.url, answer: '$.text' }),
      evalSet: evalSet([evalCase('a', [turn('one'), turn('two')]), evalCase('b', [turn('break')])]),
      config: { criteria: { same_answer: 1 } },
      registry: createRegistry([sameAnswer]),
    });
    expect(result.cases.map(({ verdict }) => verdict)).toStrictEqual(['passed', 'error']);
    expect(result.exitCode).toBe(3);
    expect(result.inferences[0]?.inference.invocations).toHaveLength(2);
    expect(new Set(server.requests.map(({ body }) => Object(body).session_id)).size).toBe(2);
  });
});

describe('the options of endpointAgent()', () => {
  const url = 'http://127.0.0.1:1';
  it.each<[string, object, RegExp]>([
    ['a URL of another protocol', { url: 'ftp://x', answer: 'a' }, /url must start with http/],
    ['credentials in the URL', { url: 'http://a:b@x', answer: 'a' }, /must not contain credentials/],
    ['a host from a placeholder', { url: 'http://{{message}}.x', answer: 'a' }, /url must start with|host must not/],
    ['no path of an answer', { url }, /there is no answer/],
    ['an unknown option', { url, answer: 'a', anwser: 'b' }, /unknown option "anwser"/],
    ['a broken path', { url, answer: '$.a[' }, /answer "\$\.a\[" is not a path/],
    [
      'an unknown placeholder',
      { url, answer: 'a', body: ['{{mesage}}'] },
      /body: unknown placeholder \{\{mesage\}\}.*message/,
    ],
    ['a variable in the body', { url, answer: 'a', body: '{{env.KEY}}' }, /body: unknown placeholder \{\{env\.KEY\}\}/],
    ['a misspelt key of calls', { url, answer: 'a', calls: { path: 'b', named: 'c' } }, /unknown key "named" in calls/],
    [
      'results without ids',
      { url, answer: 'a', results: { path: 'b', result: 'c' } },
      /results need the path of their id/,
    ],
    ['a body with GET', { url, method: 'GET', answer: 'a', body: {} }, /a GET has no body/],
    ['a limit of 0', { url, answer: 'a', maxAnswerBytes: 0 }, /maxAnswerBytes must be above 0/],
  ])('reject %s', (_, options, message) => {
    expect(problemsOf(options)).toMatch(message);
  });

  it('are checked all at once', () => {
    expect(problemsOf({ url: 'x', calls: '[', turnTimeout: 0 }).split('\n')).toHaveLength(4);
  });

  it('describe the agent to judges', async () => {
    const server = await serve(() => json({ text: 'ok' }));
    const agent = endpointAgent({
      url: server.url,
      name: 'desk',
      answer: 'text',
      instructions: 'Be brief.',
      tools: [{ name: 'book' }],
    });
    expect(await agent.describe?.()).toStrictEqual({
      name: 'desk',
      instructions: 'Be brief.',
      tools: [{ name: 'book' }],
    });
    const { invocation } = await (await begin(agent)).send(user('Hi'));
    expect(invocation.appDetails).toMatchObject({ agentDetails: { desk: { instructions: 'Be brief.' } } });
  });
});
