import { type Agent, CriteriaError, contentText, toolCalls } from '@agent-criteria/core';
import {
  type AdkDialect,
  type FakeAdkOptions,
  type FakeAdkServer,
  faults,
  says,
  startFakeAdkServer,
} from '@agent-criteria/test-servers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { httpAgent } from './pure.ts';
import type { HttpAgentSettings } from './settings.ts';

const open: FakeAdkServer[] = [];
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function start(options: FakeAdkOptions = {}): Promise<FakeAdkServer> {
  const server = await startFakeAdkServer(options);
  open.push(server);
  return server;
}

const never = new AbortController().signal;
const key = { setId: 'set', caseId: 'case', repeat: 0 };
const user = (text: string) => ({ role: 'user', parts: [{ text }] });

function begin(agent: Agent, more: { sessionId?: string; userId?: string; state?: Record<string, never> } = {}) {
  return agent.open({ key, userId: 'ann', sessionId: 's-1', state: {}, ...more }, never);
}

/** Opens a session with a new agent for the server. */
async function sessionAt(server: FakeAdkServer, settings: HttpAgentSettings = {}, path = '/apps/my_app') {
  return begin(httpAgent(server.url + path, settings));
}

async function failureOf(work: Promise<unknown>): Promise<CriteriaError> {
  const error = await work.then(
    (value) => new Error(`it worked: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!CriteriaError.is(error)) throw error;
  return error;
}

const dialects: readonly AdkDialect[] = ['python', 'python-1.0', 'typescript', 'java', 'agent-engine'];

describe.each(dialects)('an HTTP session with a %s server', (dialect) => {
  it('starts with the state of the case, and is deleted on close', async () => {
    const server = await start({ dialect });
    const agent = httpAgent(`${server.url}/apps/my_app`);
    const state = { city: 'Oslo', nested: { list: [1, 2.5, null, 'x'] }, none: null };
    const session = await agent.open({ key, userId: 'ann', sessionId: 's-1', state }, never);
    expect(server.sessions).toHaveLength(1);
    expect(server.sessions[0]?.state).toStrictEqual(state);
    expect(server.sessions[0]?.userId).toBe('ann');
    expect(await session.state()).toStrictEqual(state);
    expect(session.id).toBe(server.sessions[0]?.id);
    if (dialect !== 'agent-engine') expect(session.id).toBe('s-1');
    await session.close();
    expect(server.sessions).toStrictEqual([]);
  });

  it('starts with an empty state by default, and leaves no extra sessions on the server', async () => {
    const server = await start({ dialect });
    const agent = httpAgent(`${server.url}/apps/my_app`);
    for (const sessionId of ['s-1', 's-2']) await begin(agent, { sessionId });
    expect(server.sessions.map(({ state }) => state)).toStrictEqual([{}, {}]);
  });

  it('keeps a state that has a key named "state"', async () => {
    const server = await start({ dialect });
    const state = { state: { city: 'Oslo' } };
    const session = await httpAgent(`${server.url}/apps/my_app`).open({ key, userId: 'ann', state }, never);
    expect(await session.state()).toStrictEqual(state);
  });

  it("is created with one request and read back with another, once the server's request format is known", async () => {
    const server = await start({ dialect });
    const agent = httpAgent(`${server.url}/apps/my_app`);
    await begin(agent);
    const before = server.requests.length;
    await begin(agent, { sessionId: 's-2' });
    expect(server.requests.slice(before).map(({ method }) => method)).toStrictEqual(['POST', 'GET']);
  });

  it('answers one turn after another', async () => {
    const server = await start({ dialect });
    const session = await sessionAt(server);
    const first = await session.send(user('hello'));
    expect(contentText(first.invocation.finalResponse)).toBe('hello');
    expect(first.invocation.userContent).toStrictEqual(user('hello'));
    expect(first.error).toBeUndefined();
    const second = await session.send(user('again'));
    expect(contentText(second.invocation.finalResponse)).toBe('again');
    expect(first.invocation.invocationId).not.toBe(second.invocation.invocationId);
    expect(second.trace?.map(({ id, kind, turn }) => ({ id, kind, turn }))).toStrictEqual([
      { id: 'turn-2', kind: 'agent', turn: 1 },
    ]);
    const ends = second.trace?.map(({ startedAt, endedAt }) => Number(endedAt) - startedAt) ?? [];
    expect(ends.every((taken) => taken >= 0 && taken < 60_000)).toBe(true);
  });

  it('cannot be opened if the server loses the state', async () => {
    const server = await start({ dialect, forgetful: true });
    const error = await failureOf(
      httpAgent(`${server.url}/apps/my_app`).open({ key, userId: 'ann', state: { city: 'Oslo' } }, never),
    );
    expect(error.code).toBe('AGENT_FAILED');
    expect(error.message).toContain(
      `the state of the case did not arrive: the server's session lacks or changes "city"`,
    );
    expect(server.sessions).toStrictEqual([]);
  });
});

describe('user and session ids', () => {
  it.each(dialects.filter((dialect) => dialect !== 'agent-engine'))(
    'are rejected if the session already exists, which is kept (%s)',
    async (dialect) => {
      const server = await start({ dialect });
      const agent = httpAgent(`${server.url}/apps/my_app`);
      await begin(agent);
      const error = await failureOf(begin(agent));
      expect(error.message).toBe(
        `${server.url}/apps/my_app/users/ann/sessions/s-1: a session with this id already exists, but a case needs a new one: delete it (DELETE to this URL), or remove session_id from the case`,
      );
      expect(server.sessions).toHaveLength(1);
    },
  );

  it('are encoded in paths', async () => {
    const server = await start({ apps: { 'my app/é': ({ text }) => [says(text)] }, dialect: 'typescript' });
    const agent = httpAgent(`${server.url}/apps/my%20app%2F%C3%A9`);
    expect(agent.name).toBe('my app/é');
    const session = await begin(agent, { userId: 'a/b?c#d%e', sessionId: 'säs sion/1' });
    expect(session.id).toBe('säs sion/1');
    expect(server.sessions[0]).toMatchObject({ appName: 'my app/é', userId: 'a/b?c#d%e', id: 'säs sion/1' });
    await session.send(user('hello'));
    await session.close();
    expect(server.sessions).toStrictEqual([]);
  });

  it.each(['.', '..'])('may not be "%s", which is special in URLs', async (userId) => {
    const server = await start();
    const error = await failureOf(begin(httpAgent(`${server.url}/apps/my_app`), { userId }));
    expect(error.message).toBe(`the user id is "${userId}", which cannot be part of the path of a URL: rename it`);
    expect(server.requests).toStrictEqual([]);
  });
});

describe('the app on a server', () => {
  it('defaults to the only app', async () => {
    const server = await start();
    const session = await sessionAt(server, {}, '/');
    expect(server.sessions[0]?.appName).toBe('my_app');
    expect((await session.send(user('hello'))).error).toBeUndefined();
  });

  it('must be named if there are several', async () => {
    const server = await start({ apps: { one: () => [], 'two words': () => [] } });
    const error = await failureOf(sessionAt(server, {}, ''));
    expect(error.code).toBe('AGENT_NOT_FOUND');
    expect(error.message).toBe(
      `${server.url}: the server has 2 apps: choose one of them, ${server.url}/apps/one, ${server.url}/apps/two%20words`,
    );
    await sessionAt(server, {}, '?app=one');
    await sessionAt(server, { app: 'two words' }, '');
    expect(server.sessions.map(({ appName }) => appName)).toStrictEqual(['one', 'two words']);
  });

  it('must exist', async () => {
    const server = await start({ apps: {} });
    expect((await failureOf(sessionAt(server, {}, ''))).message).toContain('the server has no app');
    const silent = await start({ without: ['/list-apps'] });
    const told = `the server does not list its apps: add the app to the URL, as in ${silent.url}/apps/my_app`;
    expect((await failureOf(sessionAt(silent, {}, ''))).message).toBe(`${silent.url}: ${told}`);
    await sessionAt(silent);
  });

  it.each(dialects)('is reported as unknown, along with the existing apps (%s)', async (dialect) => {
    const server = await start({ dialect, apps: { weather: () => [], travel: () => [] } });
    const session = await sessionAt(server, {}, '/apps/wether');
    const error = await failureOf(session.send(user('hello')));
    expect(error.code).toBe('AGENT_NOT_FOUND');
    expect(error.message).toBe(
      `${server.url}/apps/wether: the server has no app "wether": it has ${server.url}/apps/weather, ${server.url}/apps/travel`,
    );
  });
});

describe('a turn of an HTTP agent', () => {
  const failing: FakeAdkOptions['apps'] = {
    my_app: function* () {
      yield { content: { role: 'model', parts: [{ functionCall: { id: 'c-1', name: 'look', args: { at: 'it' } } }] } };
      throw new Error('the model is gone');
    },
  };

  it.each(['camel', 'snake'] as const)('is parsed from events in %s case', async (spelling) => {
    const look = { id: 'c-1', name: 'look_up', args: { cityName: 'Oslo', unit_name: 'C' } };
    const server = await start({
      spelling,
      apps: {
        my_app: () => [
          { author: 'root', content: { role: 'model', parts: [{ functionCall: look }] }, timestamp: 1_700_000_000.25 },
          {
            author: 'root',
            content: {
              role: 'user',
              parts: [{ functionResponse: { id: 'c-1', name: 'look_up', response: { tempC: 3 } } }],
            },
            timestamp: 1_700_000_000.5,
          },
          {
            author: 'root',
            ...says('3 degrees'),
            usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 2 },
            modelVersion: 'gemini-2.5-flash',
          },
        ],
      },
    });
    const { invocation, trace, error } = await (await sessionAt(server)).send(user('How cold?'));
    expect(error).toBeUndefined();
    expect(toolCalls(invocation)).toStrictEqual([look]);
    const data = invocation.intermediateData;
    const events = data && 'invocationEvents' in data ? data.invocationEvents : [];
    expect(events?.map(({ author, content }) => [author, content?.parts?.length ?? 0])).toStrictEqual([
      ['root', 1],
      ['root', 1],
      ['root', 0],
    ]);
    expect(events?.[2]?.modelVersion).toBe('gemini-2.5-flash');
    expect(trace?.[1]).toStrictEqual({
      id: 'turn-1.1',
      parentId: 'turn-1',
      kind: 'tool',
      name: 'look_up',
      author: 'root',
      turn: 0,
      startedAt: 1_700_000_000_250,
      endedAt: 1_700_000_000_500,
      request: look.args,
      response: { tempC: 3 },
    });
  });

  it('keeps the events from before a model failed', async () => {
    const server = await start({
      apps: {
        my_app: () => [
          { content: { role: 'model', parts: [{ functionCall: { id: 'c-1', name: 'look', args: {} } }] } },
          { author: 'helper', errorCode: '429', errorMessage: 'quota is spent' },
        ],
      },
    });
    const { invocation, error } = await (await sessionAt(server)).send(user('hello'));
    expect(error).toStrictEqual({
      code: 'AGENT_FAILED',
      message: 'agent "helper" failed: 429: quota is spent',
    });
    expect(toolCalls(invocation)).toHaveLength(1);
    expect(invocation.finalResponse).toBeNull();
  });

  it.each(['typescript', 'python', 'java'] as const)('is an error if the agent throws (%s)', async (dialect) => {
    const server = await start({ dialect, apps: failing });
    const sent = (await sessionAt(server)).send(user('hello'));
    if (dialect === 'typescript') {
      const { invocation, error } = await sent;
      expect(toolCalls(invocation)).toHaveLength(1);
      expect(error?.message).toBe(
        `POST ${server.url}/run: the server answered 500: Failed to run agent: Error: the model is gone; check the server's log`,
      );
    } else {
      const said = dialect === 'python' ? 'Internal Server Error' : 'Agent run failed';
      const error = await failureOf(sent);
      expect(error.message).toBe(`POST ${server.url}/run: the server answered 500: ${said}; check the server's log`);
    }
  });

  it.each(['typescript', 'python'] as const)(
    'keeps the events received before a stream breaks off (%s)',
    async (dialect) => {
      const server = await start({ dialect, apps: failing });
      const { invocation, error } = await (await sessionAt(server, { route: 'run_sse' })).send(user('hello'));
      expect(toolCalls(invocation)).toHaveLength(1);
      const said = dialect === 'python' ? 'ValueError: the model is gone' : 'the model is gone';
      expect(error?.message).toBe(`POST ${server.url}/run_sse: the agent failed: ${said}`);
    },
  );

  it('forwards the parts of a streamed answer, but records only the complete answer', async () => {
    const server = await start({
      apps: {
        my_app: ({ streaming }) => [
          ...(streaming
            ? [
                { ...says('he'), partial: true },
                { ...says('llo'), partial: true },
              ]
            : []),
          { ...says('hello'), partial: false },
        ],
      },
    });
    const session = await sessionAt(server, { streaming: true });
    const seen: unknown[] = [];
    const { invocation } = await session.send(user('x'), { onEvent: (event) => seen.push(event) });
    expect(seen).toHaveLength(3);
    expect(invocation.finalResponse).toStrictEqual({ role: 'model', parts: [{ text: 'hello' }] });
    expect(server.requests.at(-1)?.path).toBe('/run_sse');
  });

  it.each(['typescript', 'python'] as const)('uses run_sse if the server has no run route (%s)', async (dialect) => {
    const server = await start({ dialect, without: ['/run'] });
    const session = await sessionAt(server);
    for (const text of ['one', 'two']) {
      expect(contentText((await session.send(user(text))).invocation.finalResponse)).toBe(text);
    }
    const paths = server.requests.map(({ path }) => path).filter((path) => path.startsWith('/run'));
    expect(paths).toStrictEqual(['/run', '/run_sse', '/run_sse']);
  });

  it('reports the failure of run_sse if the server has no run route', async () => {
    const server = await start();
    const session = await sessionAt(server);
    server.fail({ status: 404, body: { detail: 'Not Found' } }, { status: 400, body: { detail: 'no such thing' } });
    const error = await failureOf(session.send(user('hello')));
    expect(error.message).toBe(`POST ${server.url}/run_sse: the server answered 400: no such thing`);
  });

  it('fails if the session no longer exists', async () => {
    const server = await start();
    const session = await sessionAt(server);
    await session.close();
    const error = await failureOf(session.send(user('hello')));
    expect(error.message).toBe(`POST ${server.url}/run: the server answered 404: Session not found: s-1`);
  });

  it.each([undefined, 'run_sse'] as const)('fails if no event arrives (route %s)', async (route) => {
    const server = await start({ apps: { my_app: () => [] } });
    const error = await failureOf((await sessionAt(server, route ? { route } : {})).send(user('hello')));
    expect(error.code).toBe('AGENT_FAILED');
    expect(error.message).toBe(
      `POST ${server.url}/${route ?? 'run'}: the turn ended without any event: the agent did nothing; check the server's log`,
    );
  });

  it('fails if the model returns nothing', async () => {
    const call = { content: { role: 'model', parts: [{ functionCall: { id: 'c-1', name: 'look', args: {} } }] } };
    const answer = {
      content: { role: 'user', parts: [{ functionResponse: { id: 'c-1', name: 'look', response: {} } }] },
    };
    const thought = { content: { role: 'model', parts: [{ text: 'hm', thought: true }] } };
    const asked: readonly (readonly [object[], boolean])[] = [
      [[call, answer, says('')], true],
      [[call, answer, thought], true],
      // How ADK for Python represents an answer without parts.
      [[call, answer, { content: { role: 'model' }, usageMetadata: { promptTokenCount: 3 } }], true],
      [[says('Done.'), says('')], false],
      // These occur at the end of a loop, or after a tool response without a summary.
      [[call, answer], false],
      [[{ content: { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }] } }], false],
    ];
    for (const [events, isSilent] of asked) {
      const session = await sessionAt(await start({ apps: { my_app: () => events } }));
      const { error, invocation } = await session.send(user('Hi'));
      const message = 'agent "my_app" ended the turn without an answer: its model returned nothing';
      expect(error ?? null).toEqual(isSilent ? { code: 'AGENT_FAILED', message } : null);
      expect(toolCalls(invocation)).toHaveLength(events.includes(call) ? 1 : 0);
    }
  });

  it('fails if the agent waits for a human', async () => {
    const wait = (call: object, more: object) => ({
      content: { role: 'model', parts: [{ functionCall: call }] },
      ...more,
    });
    const long = { id: 'c-1', name: 'approve', args: {} };
    const asked: readonly (readonly [object[], string | null])[] = [
      // A long-running call ends a turn, as in ADK: there may be no answer until it is done.
      [[wait(long, { longRunningToolIds: ['c-1'] })], null],
      [[wait({ id: 'c-2', name: 'adk_request_credential', args: {} }, {})], 'adk_request_credential'],
      [[wait({ name: 'adk_request_input', args: {} }, {})], 'adk_request_input'],
      [
        [
          wait(long, { longRunningToolIds: ['c-1'] }),
          {
            content: {
              role: 'user',
              parts: [{ functionResponse: { id: 'c-1', name: 'approve', response: { status: 'pending' } } }],
            },
          },
          says('It is on its way.'),
        ],
        null,
      ],
    ];
    for (const [events, name] of asked) {
      const server = await start({ apps: { my_app: () => events } });
      const { error, invocation } = await (await sessionAt(server)).send(user('hello'));
      expect(toolCalls(invocation)).toHaveLength(1);
      if (name === null) expect(error).toBeUndefined();
      else expect(error?.message).toContain(`waits for an answer to "${name}", but no one can answer in an evaluation`);
    }
  });

  it.each([[{ content: 'text' }], [{ content: { parts: [{ text: 3 }] } }], ['event'], [null]])(
    'fails if an event is invalid: %j',
    async (event) => {
      const server = await start({ faults: [] });
      const session = await sessionAt(server);
      server.fail({ status: 200, body: [event] });
      const error = await failureOf(session.send(user('hello')));
      expect(error.code).toBe('AGENT_FAILED');
      expect(error.message).toContain(`POST ${server.url}/run: an event of the server cannot be read: $`);
    },
  );
});

describe('a server that fails', () => {
  const html = {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<!doctype html><title>Sign in</title>',
  };

  it.each([
    [faults.badGateway, 'the server answered 502: an HTML page, "502 Server Error"; check the server'],
    [faults.brokenJson, 'the answer is not JSON: "{\\"candidates'],
    [html, 'the answer is an HTML page, "Sign in", not JSON'],
    [faults.cutSocket, 'the server closed the connection without an answer: check its log'],
    [faults.cutBody, 'the server closed the connection in the middle of its answer: check its log'],
    [{ status: 200, body: { events: [] } }, 'the answer is not a list of events'],
    [{ status: 422, body: { detail: [{ loc: ['body'], msg: 'bad' }] } }, '422: [{"loc":["body"],"msg":"bad"}]'],
    [{ status: 429, body: { message: 'slowly' } }, 'the server answered 429: slowly'],
    [{ status: 403, body: 'no' }, 'the server answered 403: no; set AGENT_CRITERIA_AGENT_TOKEN'],
    [
      { status: 302, headers: { location: 'https://sign.in.example/start?key=s3cret' }, body: '' },
      'the server redirects to https://sign.in.example/start (302), which is not followed',
    ],
  ] as const)('is reported by a turn: %j', async (fault, message) => {
    const server = await start();
    const session = await sessionAt(server);
    server.fail(fault);
    const error = await failureOf(session.send(user('hello')));
    expect(error.code).toBe('AGENT_FAILED');
    expect(error.message).toContain(`POST ${server.url}/run: `);
    expect(error.message).toContain(message);
    expect(error.message).not.toContain('s3cret');
  });

  it('does not leak any part of a secret, wherever an error is truncated', async () => {
    const secret = 'correct-horse-battery-staple-42';
    vi.stubEnv('SHOP_API_KEY', secret);
    const server = await start();
    const session = await sessionAt(server);
    const starts: number[] = [];
    for (let before = 0; before < 560; before += 8) {
      for (const body of [
        `${'y '.repeat(before / 2)}${secret} tail`,
        { detail: `${'y'.repeat(before)}${secret} tail` },
      ]) {
        server.fail({ status: 500, body });
        const { message } = await failureOf(session.send(user('hello')));
        if (message.includes('correct')) starts.push(before);
      }
    }
    expect(starts).toEqual([]);
  });

  it('is reported if nothing is listening at its address', async () => {
    const server = await startFakeAdkServer();
    const agent = httpAgent(`${server.url}/apps/my_app`);
    await server.close();
    expect((await failureOf(begin(agent))).message).toBe(
      `POST ${server.url}/apps/my_app/users/ann/sessions: nothing listens at ${server.url}: start the agent's server (such as "adk api_server"), or correct the URL`,
    );
  });

  it('is reported if an answer exceeds maxAnswerBytes', async () => {
    const server = await start();
    const session = await sessionAt(server, { maxAnswerBytes: 1000 });
    const error = await failureOf(session.send(user('x'.repeat(2000))));
    expect(error.message).toContain('the answer is larger than the limit of 1000 bytes (maxAnswerBytes)');
  });

  it('is not tried with other request formats while it is overloaded', async () => {
    const server = await start({ faults: [{ status: 503, body: { detail: 'busy' } }] });
    expect((await failureOf(sessionAt(server))).message).toContain('the server answered 503: busy');
    expect(server.requests).toHaveLength(1);
  });
});

describe('sockets of an HTTP agent', () => {
  it('are closed when the turn is aborted', async () => {
    const server = await start();
    const controller = new AbortController();
    const session = await httpAgent(`${server.url}/apps/my_app`).open(
      { key, userId: 'ann', state: {} },
      controller.signal,
    );
    server.fail(faults.hang);
    const sent = session.send(user('hello'));
    const seen = () => server.requests.find(({ path }) => path === '/run');
    await expect.poll(() => seen()).toBeDefined();
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(sent).rejects.toBe(reason);
    await expect.poll(() => seen()?.aborted).toBe(true);
    await session.close();
    expect(server.sessions).toStrictEqual([]);
  });

  it('are closed when a stream is aborted, and the events received so far are kept', async () => {
    const server = await start({ apps: { my_app: () => [says('first'), says('x'.repeat(5000))] } });
    const controller = new AbortController();
    const agent = httpAgent(`${server.url}/apps/my_app`, { route: 'run_sse' });
    const session = await agent.open({ key, userId: 'ann', state: {} }, controller.signal);
    server.fail({ slow: 600_000 });
    const reason = new Error('enough');
    // Aborts on the first event; the rest of the stream never arrives.
    const turn = await session.send(user('hello'), { onEvent: () => controller.abort(reason) });
    expect(turn.error).toMatchObject({ code: 'ABORTED', message: 'enough' });
    expect(contentText(turn.invocation.finalResponse)).toBe('first');
    await expect.poll(() => server.requests.at(-1)?.aborted).toBe(true);
  });

  it('are closed when an answer exceeds the limit', async () => {
    const server = await start();
    const session = await sessionAt(server, { maxAnswerBytes: 1000 });
    server.fail({ slow: 600_000 });
    await failureOf(session.send(user('x'.repeat(50_000))));
    await expect.poll(() => server.requests.at(-1)?.aborted).toBe(true);
  });

  it.each(['run', 'run_sse'] as const)('are closed when the turn times out (%s)', async (route) => {
    const server = await start();
    const session = await sessionAt(server, { route, turnTimeout: 200 });
    server.fail({ slow: 60_000 });
    const seen = () => server.requests.find(({ path }) => path === `/${route}`);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const failing = failureOf(session.send(user('hello')));
    await expect.poll(seen).toBeDefined();
    await vi.advanceTimersByTimeAsync(200);
    const error = await failing;
    expect(error.code).toBe('TIMEOUT');
    expect(error.message).toBe(`POST ${server.url}/${route}: the server did not answer within 200 ms`);
    await expect.poll(() => seen()?.aborted).toBe(true);
  });

  it('are closed when creating a session times out', async () => {
    const server = await start({ faults: [faults.hang] });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const failing = failureOf(sessionAt(server, { requestTimeout: '200ms' }));
    await expect.poll(() => server.requests[0]).toBeDefined();
    await vi.advanceTimersByTimeAsync(200);
    const error = await failing;
    expect(error.code).toBe('TIMEOUT');
    await expect.poll(() => server.requests[0]?.aborted).toBe(true);
  });
});

describe('credentials of an HTTP agent', () => {
  it('come from the environment', async () => {
    vi.stubEnv('AGENT_CRITERIA_AGENT_TOKEN', 'env-token');
    vi.stubEnv('AGENT_CRITERIA_AGENT_HEADERS', '{"x-api-key": "k-12345", "X-Team": "a"}');
    const server = await start({ token: 'env-token' });
    const session = await sessionAt(server, { headers: { 'x-team': 'b' } });
    await session.send(user('hello'));
    await session.close();
    expect(server.requests.length).toBeGreaterThan(3);
    for (const { headers } of server.requests) {
      expect(headers).toMatchObject({ authorization: 'Bearer env-token', 'x-api-key': 'k-12345', 'x-team': 'b' });
    }
  });

  it('come from the settings, read for each request', async () => {
    vi.stubEnv('AGENT_CRITERIA_AGENT_TOKEN', 'env-token');
    let asked = 0;
    const server = await start();
    await sessionAt(server, { token: async () => `token-${++asked}` });
    expect(server.requests.map(({ headers }) => headers.authorization)).toStrictEqual(
      server.requests.map((_, index) => `Bearer token-${index + 1}`),
    );
    await sessionAt(server, { headers: { Authorization: 'Basic abc' } }, '/apps/other');
    expect(server.requests.at(-1)?.headers.authorization).toBe('Basic abc');
  });

  it('are explained in the error if they are missing', async () => {
    const server = await start({ token: 'right' });
    const error = await failureOf(sessionAt(server));
    expect(error.message).toBe(
      `POST ${server.url}/apps/my_app/users/ann/sessions: the server answered 401: Unauthorized; set AGENT_CRITERIA_AGENT_TOKEN to a bearer token, or AGENT_CRITERIA_AGENT_HEADERS to a JSON object of headers`,
    );
    expect(server.requests).toHaveLength(1);
  });

  it('are never shown, even if the server echoes them', async () => {
    const token = 'tok-s3cret';
    const echo = `you said Bearer ${token} and k3y-value`;
    const replies = [
      { status: 500, body: { detail: echo } },
      { status: 400, headers: { 'content-type': 'text/html' }, body: `<title>${echo}</title>` },
      { status: 200, body: echo },
      { status: 200, headers: { 'content-type': 'text/plain' }, body: echo },
      { status: 200, body: [{ author: 'a', errorMessage: echo }] },
      { status: 200, headers: { 'content-type': 'text/event-stream' }, body: `data: {"error":"${echo}"}\n\n` },
    ];
    for (const reply of replies) {
      const server = await start();
      const session = await sessionAt(server, { token, headers: { 'x-key': 'k3y-value' } });
      server.fail(reply);
      const said = await session.send(user('hello')).then(
        ({ error }) => error?.message ?? '',
        (error: unknown) => String(error),
      );
      expect(said).toContain('you said');
      expect(said).not.toMatch(/s3cret|k3y/);
    }
  });

  it('are never sent to the target of a redirect', async () => {
    const elsewhere = await start();
    const server = await start();
    const session = await sessionAt(server, { token: 'tok-s3cret' });
    server.fail({ status: 307, headers: { location: `${elsewhere.url}/run` }, body: '' });
    expect((await failureOf(session.send(user('hello')))).message).toContain(`redirects to ${elsewhere.url}/run`);
    expect(elsewhere.requests).toStrictEqual([]);
  });

  it.each([
    ['{"x-key": 5}', 'the header "x-key" must be a string'],
    ['["s3cret"]', 'AGENT_CRITERIA_AGENT_HEADERS must be a JSON object of headers'],
    ['{"a": s3cret', 'AGENT_CRITERIA_AGENT_HEADERS must be a JSON object of headers'],
    ['{"a b": "s3cret"}', '"a b" is not a valid header name'],
    ['{"a": "s3cret\\u0000"}', 'the value of the header "a" contains characters that are not allowed in a header'],
  ])('are validated without being shown: %s', async (headers, message) => {
    vi.stubEnv('AGENT_CRITERIA_AGENT_HEADERS', headers);
    const server = await start();
    const error = await failureOf(sessionAt(server));
    expect(error.code).toBe('INVALID_CONFIG');
    expect(error.message).toContain(message);
    expect(String(error.stack)).not.toContain('s3cret');
    expect(server.requests).toStrictEqual([]);
  });
});

describe("details of the server's agents", () => {
  const appInfo = {
    my_app: {
      name: 'my_app',
      rootAgentName: 'root',
      description: '',
      language: 'python',
      agents: {
        root: {
          name: 'root',
          description: 'Leads.',
          instruction: 'Answer about {city}.',
          tools: [{ functionDeclarations: [{ name: 'look_up', description: 'Looks.' }] }, { googleSearch: {} }],
          sub_agents: ['helper'],
        },
        helper: { name: 'helper', description: '', instruction: '', tools: [], sub_agents: ['root'] },
      },
    },
  };
  const apps: FakeAdkOptions['apps'] = { my_app: () => [{ author: 'root', ...says('hi') }] };

  it('come from the server', async () => {
    const server = await start({ appInfo, apps });
    const agent = httpAgent(`${server.url}/apps/my_app`);
    expect(await agent.describe?.()).toEqual({
      name: 'root',
      description: 'Leads.',
      instructions: 'Answer about {city}.',
      tools: [{ name: 'look_up', description: 'Looks.' }, { name: 'googleSearch' }],
      agents: [{ name: 'helper', tools: [] }],
    });
    const { invocation } = await (await begin(agent)).send(user('hello'));
    expect(invocation.appDetails).toStrictEqual({
      agentDetails: {
        root: {
          name: 'root',
          instructions: 'Answer about {city}.',
          toolDeclarations: [
            { functionDeclarations: [{ name: 'look_up', description: 'Looks.' }, { name: 'googleSearch' }] },
          ],
        },
      },
    });
  });

  it('are overridden by the settings', async () => {
    for (const dialect of ['python', 'typescript'] as const) {
      const server = await start({ appInfo, apps, dialect });
      const agents = { root: { instructions: 'Be brief.', tools: [] }, other: { instructions: 'Unused.' } };
      const session = await sessionAt(server, { agents });
      const { invocation } = await session.send(user('hello'));
      expect(invocation.appDetails).toStrictEqual({
        agentDetails: { root: { name: 'root', instructions: 'Be brief.', toolDeclarations: [] } },
      });
    }
    const server = await start({ appInfo, apps });
    const agents = { root: { description: undefined, instructions: 'Be brief.' } };
    const known = { name: 'root', description: 'Leads.', instructions: 'Be brief.' };
    expect(await httpAgent(`${server.url}/apps/my_app`, { agents }).describe?.()).toMatchObject(known);
  });

  it('are absent if neither the server nor the settings have them', async () => {
    const server = await start({ dialect: 'typescript' });
    const agent = httpAgent(`${server.url}/apps/my_app`);
    expect(await agent.describe?.()).toBeNull();
    expect((await (await begin(agent)).send(user('hello'))).invocation.appDetails).toBeUndefined();
  });
});

describe('settings of an HTTP agent', () => {
  it('are validated, with all mistakes reported at once', () => {
    const wrong = { turnTimeout: 0, requestTimeout: Number.NaN, route: 'run', streaming: true } as const;
    expect(() => httpAgent('http://localhost:8000', { ...wrong, agents: { a: { tools: [{}] } } })).toThrow(
      [
        'settings of an agent behind a URL: turnTimeout must be above 0',
        'settings of an agent behind a URL: requestTimeout must be above 0',
        'settings of an agent behind a URL: streaming needs the route "run_sse": remove route, or streaming',
        'settings of an agent behind a URL: every tool of agents["a"] must be a declaration with a name',
      ].join('\n'),
    );
  });

  it('must name the same app as the URL', () => {
    expect(() => httpAgent('http://localhost:8000/apps/a', { app: 'b' })).toThrow(
      'http://localhost:8000/apps/a: the URL names the app "a" and the settings name "b": keep one of them',
    );
  });

  it("set the agent's name", () => {
    expect(httpAgent('http://localhost:8000').name).toBe('localhost:8000');
    expect(httpAgent('http://localhost:8000/apps/a').name).toBe('a');
    expect(httpAgent('http://localhost:8000/apps/a', { name: 'mine' }).name).toBe('mine');
  });
});
