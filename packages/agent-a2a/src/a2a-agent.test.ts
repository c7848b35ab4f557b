import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Agent, type AgentSession, type AgentTurn, contentText, toolSteps } from '@agent-criteria/core';
import { message } from '@agent-criteria/core/testing';
import { faults, startServer } from '@agent-criteria/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { artifactOf, eventOf, startFakeAgent, statusOf, taskIn, textPart } from './__fixtures__/fake-agent.ts';
import { a2aAgent, a2aAgents } from './pure.ts';

function openWith(agent: Agent, signal = new AbortController().signal): Promise<AgentSession> {
  return agent.open({ key: { setId: 's', caseId: 'c', repeat: 0 }, userId: 'ada', state: {} }, signal);
}

async function converse(agent: Agent, ...texts: readonly string[]): Promise<AgentTurn[]> {
  const session = await openWith(agent);
  const turns: AgentTurn[] = [];
  for (const text of texts) turns.push(await session.send(message('user', text)));
  await session.close();
  return turns;
}

const answerOf = (turn: AgentTurn | undefined) => contentText(turn?.invocation.finalResponse);
const answered = [
  taskIn('submitted'),
  artifactOf('a', [textPart('Four.')]),
  statusOf('completed', null, { final: true }),
];

describe('a card', () => {
  it('is found under its older name', async () => {
    const server = await startServer({}, ({ path }) =>
      path.endsWith('/agent.json')
        ? { status: 200, body: { name: 'dice', url: 'http://127.0.0.1:1/rpc' } }
        : { status: 404, body: {} },
    );
    onTestFinished(() => server.close());
    expect(await a2aAgent(`a2a+${server.url}`).check?.()).toEqual([]);
  });

  it.each([
    [{ status: 404, body: {} }, 'AGENT_NOT_FOUND', 'there is no agent card (404)'],
    [
      { status: 200, body: '<html><title>Sign in</title></html>' },
      'AGENT_FAILED',
      'is this the address of an A2A agent?',
    ],
    [{ status: 200, body: { hello: 'world' } }, 'AGENT_FAILED', 'the agent card cannot be used'],
    [{ status: 403, body: { error: 'no' } }, 'AGENT_FAILED', 'AGENT_CRITERIA_AGENT_TOKEN'],
    [{ status: 200, body: { name: 'x'.repeat(1_100_000) } }, 'AGENT_FAILED', 'is larger than the limit'],
    [faults.cutSocket, 'AGENT_FAILED', 'closed the connection'],
  ])('that is %j is a problem before the run', async (reply, code, text) => {
    const server = await startServer({}, () => reply);
    onTestFinished(() => server.close());
    const problems = await a2aAgent(server.url).check?.();
    expect(problems).toMatchObject([{ code, message: expect.stringContaining(text) }]);
  });

  it('that redirects is not followed, so its target gets no token', async () => {
    const other = await startServer({}, () => ({ status: 200, body: {} }));
    onTestFinished(() => other.close());
    const server = await startServer({}, () => ({ status: 302, headers: { location: `${other.url}/x` }, body: '' }));
    onTestFinished(() => server.close());
    const problems = await a2aAgent(server.url, { token: 'token-of-ada' }).check?.();
    expect(problems).toMatchObject([{ message: expect.stringContaining('redirects') }]);
    expect(other.requests).toEqual([]);
  });

  it('that names another server gets no token there, unless that is trusted', async () => {
    const rpc = await startFakeAgent(({ headers }) =>
      headers.authorization === 'Bearer token-of-ada' ? answered : { status: 401, body: {} },
    );
    const server = await startFakeAgent(
      () => answered,
      () => ({ url: `${rpc.url}/rpc` }),
    );
    const headers = { 'x-key': 'key-of-ada' };
    await expect(converse(a2aAgent(server.url, { token: 'token-of-ada', headers }), 'Hi')).rejects.toThrow(
      `if you trust ${rpc.url}, add it to trustedOrigins`,
    );
    expect(rpc.calls[0]?.headers).not.toHaveProperty('x-key');
    expect(server.requests[0]?.headers).toMatchObject({ 'x-key': 'key-of-ada', authorization: 'Bearer token-of-ada' });
    const trusting = a2aAgent(server.url, { token: 'token-of-ada', headers, trustedOrigins: [rpc.url] });
    expect(answerOf((await converse(trusting, 'Hi'))[0])).toBe('Four.');
    expect(rpc.calls.at(-1)?.headers).toHaveProperty('x-key');
  });

  it('can be given as an object', async () => {
    const { url } = await startFakeAgent(() => answered);
    const agent = a2aAgent({ name: 'my_dice', url: `${url}/rpc`, capabilities: { streaming: true } });
    expect(agent.name).toBe('my_dice');
    expect(answerOf((await converse(agent, 'Hi'))[0])).toBe('Four.');
  });
});

describe('a turn', () => {
  it('sends the version and the tenant of version 1, and none of them in version 0.3', async () => {
    const supportedInterfaces = (url: string) => [
      { url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: 'acme' },
    ];
    const parts = [{ text: 'Four.' }];
    const one = await startFakeAgent(
      () => [{ message: { messageId: 'm', role: 'ROLE_AGENT', contextId: 'c', parts } }],
      (url) => ({ supportedInterfaces: supportedInterfaces(url) }),
    );
    expect(answerOf((await converse(a2aAgent(one.url), 'Hi'))[0])).toBe('Four.');
    expect(one.calls[0]).toMatchObject({
      call: 'SendStreamingMessage',
      headers: { 'a2a-version': '1.0' },
      params: { tenant: 'acme', message: { role: 'ROLE_USER', parts: [{ text: 'Hi' }] } },
    });
    const old = await startFakeAgent(() => answered);
    await converse(a2aAgent(old.url), 'Hi');
    expect(old.calls[0]).toMatchObject({
      call: 'message/stream',
      params: { message: { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'Hi' }] } },
    });
    expect(old.calls[0]?.headers).not.toHaveProperty('a2a-version');
    expect(old.calls[0]?.params).not.toHaveProperty('tenant');
  });

  it.each(['the stream ends early', 'the server answers at once'])(
    'asks for its task until it is done if %s',
    async (how) => {
      const { url, calls } = await startFakeAgent(({ call, index }) => {
        if (call === 'message/stream') return [taskIn('submitted'), statusOf('working', [textPart('Rolling.')])];
        if (call === 'message/send') return { result: taskIn('working') };
        if (index < 2) return { result: taskIn('working') };
        return { result: taskIn('completed', { artifacts: [{ artifactId: 'a', parts: [textPart('Four.')] }] }) };
      });
      const options = { pollInterval: '1ms', streaming: how === 'the stream ends early' } as const;
      const [turn] = await converse(a2aAgent(url, options), 'Hi');
      expect(turn?.error).toBeUndefined();
      expect(answerOf(turn)).toBe('Four.');
      expect(calls.map(({ call }) => call).slice(1)).toEqual(['tasks/get', 'tasks/get', 'tasks/get']);
    },
  );

  it('has the pieces of a stream that ended early as one text, which the whole task has as parts', async () => {
    const pieces = ['Ro', 'ses ', 'are red.'].map(textPart);
    const { url } = await startFakeAgent(({ call }) =>
      call === 'message/stream'
        ? [taskIn('working'), ...pieces.slice(0, 2).map((part) => artifactOf('a', [part], { append: true }))]
        : { result: taskIn('completed', { artifacts: [{ artifactId: 'a', parts: pieces }] }) },
    );
    const [turn] = await converse(a2aAgent(url, { pollInterval: '1ms' }), 'Hi');
    expect(answerOf(turn)).toBe('Roses are red.');
  });

  it('whose task is worked on for ever ends with its time limit, and is canceled', async () => {
    const { url, calls } = await startFakeAgent(() => ({ result: taskIn('working') }));
    const [turn] = await converse(a2aAgent(url, { pollInterval: '10ms', turnTimeout: '200ms' }), 'Hi');
    expect(turn?.error).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('turnTimeout') });
    expect(calls.at(-1)).toMatchObject({ call: 'tasks/cancel', params: { id: 't' } });
  });

  it('whose stream never ends is ended by the limit of its size, and is canceled', async () => {
    let isEnded = false;
    const calls: string[] = [];
    const server = createServer(async (incoming, outgoing) => {
      let body = '';
      for await (const chunk of incoming) body += chunk;
      calls.push(JSON.parse(body).method);
      outgoing.on('close', () => {
        isEnded = true;
      });
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      const more = (): void => {
        if (outgoing.destroyed) return;
        outgoing.write(eventOf(artifactOf('a', [textPart('x'.repeat(1000))], { append: true })));
        setImmediate(more);
      };
      more();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const card = { name: 'dice', url: `http://127.0.0.1:${port}/rpc`, capabilities: { streaming: true } };
    const [turn] = await converse(a2aAgent(card, { maxAnswerBytes: 100_000 }), 'Hi');
    expect(turn?.error?.message).toContain('larger than the limit of 100000 bytes');
    expect(turn?.invocation.finalResponse).toBeNull();
    expect(isEnded).toBe(true);
    expect(calls).toEqual(['message/stream', 'tasks/cancel']);
  });

  it('is sent again without a stream to a server that does not stream after all', async () => {
    const { url, calls } = await startFakeAgent(({ call }) =>
      call === 'message/stream'
        ? { error: { code: -32004, message: 'no streaming' } }
        : { result: taskIn('completed', { artifacts: [{ artifactId: 'a', parts: [textPart('Four.')] }] }) },
    );
    expect(answerOf((await converse(a2aAgent(url), 'Hi'))[0])).toBe('Four.');
    expect(calls.map(({ call }) => call)).toEqual(['message/stream', 'message/send']);
  });

  it('is an error at an event that does not follow the protocol, and keeps what came before', async () => {
    const { url } = await startFakeAgent(() => [
      taskIn('submitted'),
      statusOf('working', [textPart('Rolling.')]),
      artifactOf('a', [textPart('Fo')]),
      { kind: 'status-update', taskId: 't', status: { state: 7 } },
    ]);
    const [turn] = await converse(a2aAgent(url), 'Hi');
    expect(turn?.error).toMatchObject({
      code: 'AGENT_FAILED',
      message: expect.stringContaining('does not follow the A2A protocol: result.status.state must be a text'),
    });
    expect(turn?.invocation.finalResponse).toBeNull();
    expect(turn?.invocation.intermediateData).toMatchObject({
      invocationEvents: [{ content: { parts: [{ text: 'Rolling.' }] } }, { content: { parts: [{ text: 'Fo' }] } }],
    });
  });

  it('reports a question as an event, and the reason for a failure only as an error', async () => {
    const events: unknown[] = [];
    const { url } = await startFakeAgent(({ index }) => [
      taskIn('submitted'),
      statusOf(index === 0 ? 'input-required' : 'failed', [textPart(index === 0 ? 'Which?' : 'no key')]),
    ]);
    const session = await openWith(a2aAgent(url));
    const onEvent = (event: unknown) => events.push(event);
    await session.send(message('user', 'Hi'), { onEvent });
    const failed = await session.send(message('user', 'This'), { onEvent });
    expect(events).toEqual([{ author: 'dice', content: { role: 'model', parts: [{ text: 'Which?' }] } }]);
    expect(failed.error?.message).toBe('the task failed: no key');
    expect(failed.invocation.intermediateData).toEqual({ invocationEvents: [] });
  });

  it.each([
    [{ error: { code: -32603, message: 'model is down', data: 'try later' } }, 'model is down: try later (-32603)'],
    [{ error: { code: -32601, message: 'no such method' } }, 'no such method (-32601)'],
    [{ result: { hello: 1 } }, 'result is neither a task, a message nor an event of a task'],
    [{ status: 200, body: '<html><title>Proxy</title></html>' }, 'is this the address of an A2A agent?'],
    [{ status: 200, headers: { 'content-type': 'text/event-stream' }, body: 'data: {"broken\n\n' }, 'is not JSON'],
    [{ status: 200, headers: { 'content-type': 'text/event-stream' }, body: ': ping\n\n' }, 'without any event'],
    [{ status: 200, headers: { 'content-type': 'application/json' }, body: 'null' }, 'not a response of JSON-RPC'],
    [{ status: 302, headers: { location: 'https://evil.example' }, body: '' }, 'redirects to https://evil.example'],
    [faults.badGateway, '502'],
    [faults.cutSocket, 'closed the connection'],
    [{ result: { kind: 'message', messageId: 'm', role: 'agent', parts: [] } }, 'an empty message'],
    [{ result: taskIn('completed') }, 'completed without an answer'],
    [{ result: taskIn('input-required') }, 'needs input, but does not say which'],
    [{ result: taskIn('failed') }, 'the server does not say why'],
    [{ result: taskIn('canceled') }, 'the server canceled the task'],
  ])('is an error, never an answer, after %j', async (answer, text) => {
    const { url } = await startFakeAgent(() => answer);
    const outcome = await converse(a2aAgent(url), 'Hi').then(
      ([turn]) => turn,
      (error) => ({ error, invocation: undefined }),
    );
    expect(outcome?.error?.message).toContain(text);
    expect(outcome?.invocation?.finalResponse ?? null).toBeNull();
  });

  it('hides the token in an error that repeats it', async () => {
    const { url } = await startFakeAgent(({ headers }) => ({
      result: taskIn('failed', {
        status: {
          state: 'failed',
          message: { messageId: 'm', parts: [textPart(`bad ${headers.authorization} of ada`)] },
        },
      }),
    }));
    const [turn] = await converse(a2aAgent(url, { token: 'token-of-ada-4711' }), 'Hi');
    expect(turn?.error?.message).toMatch(/^the task failed: bad .* of ada$/);
    expect(JSON.stringify(turn)).not.toContain('token-of-ada-4711');
  });

  it('is an error if the answer belongs to another conversation or task', async () => {
    const { url } = await startFakeAgent(({ index }) => [
      { kind: 'message', messageId: 'm', contextId: `c-${index}`, role: 'agent', parts: [textPart('Hi.')] },
    ]);
    const session = await openWith(a2aAgent(url));
    await session.send(message('user', 'Hi'));
    await expect(session.send(message('user', 'Hi'))).rejects.toThrow(
      'belongs to another conversation (contextId "c-1")',
    );
    const other = await startFakeAgent(() => [taskIn('working'), { ...artifactOf('a', []), taskId: 'of-bob' }]);
    expect((await converse(a2aAgent(other.url), 'Hi'))[0]?.error?.message).toContain('an event of the task "of-bob"');
  });

  it('ends at once when it is aborted between two questions about its task', async () => {
    const { url, calls } = await startFakeAgent(() => ({ result: taskIn('working') }));
    const stop = new AbortController();
    const session = await openWith(a2aAgent(url, { pollInterval: '1h', requestTimeout: '10s' }));
    const sending = session.send(message('user', 'Hi'), { signal: stop.signal });
    await expect.poll(() => calls.length).toBe(4);
    stop.abort(new Error('enough'));
    expect((await sending).error).toMatchObject({ code: 'ABORTED', message: 'enough' });
    await session.close();
    expect(calls.at(-1)?.call).toBe('tasks/cancel');
  });
});

describe('an agent of ADK for Python', () => {
  const call = {
    kind: 'data',
    data: { id: '1', name: 'roll', args: { sides: 6 } },
    metadata: { adk_type: 'function_call' },
  };
  const response = {
    kind: 'data',
    data: { id: '1', name: 'roll', response: { value: 4 } },
    metadata: { adk_type: 'function_response' },
  };
  const said = (messageId: string, part: object, role = 'agent') => ({
    kind: 'message',
    messageId,
    role,
    parts: [part],
  });
  const of = (author: string) => ({
    metadata: { adk_author: author, adk_invocation_id: 'e-1', adk_usage_metadata: { totalTokenCount: 15 } },
  });

  it('has its events, which it sends as messages, and its answer once', async () => {
    const { url } = await startFakeAgent(() => [
      taskIn('submitted', { status: { state: 'submitted', message: said('own', textPart('Roll.'), 'user') } }),
      statusOf('working', [call], of('dice')),
      statusOf('working', [response], of('dice')),
      statusOf('working', [textPart('Four.')], of('teller')),
      artifactOf('a', [textPart('Four.')], { lastChunk: true }),
      statusOf('completed', null, { final: true }),
    ]);
    const [turn] = await converse(a2aAgent(url), 'Roll.');
    expect(turn?.error).toBeUndefined();
    expect(answerOf(turn)).toBe('Four.');
    expect(turn?.invocation.invocationId).toBe('e-1');
    expect(toolSteps(turn!.invocation)).toMatchObject([
      { call: { name: 'roll' }, response: { response: { value: 4 } } },
    ]);
    expect(turn?.invocation.intermediateData).toMatchObject({
      invocationEvents: [
        { author: 'dice', usageMetadata: { totalTokenCount: 15 } },
        { author: 'dice', content: { role: 'user' } },
        { author: 'teller', content: null, usageMetadata: { totalTokenCount: 15 } },
      ],
    });
    expect(turn?.trace?.map(({ kind, name }) => [kind, name])).toEqual([
      ['agent', expect.any(String)],
      ['tool', 'roll'],
    ]);
  });

  it('has its calls without streaming, from the history of the task after the message', async () => {
    const { url } = await startFakeAgent(({ params, index }) => {
      const own = (params.message as { messageId: string }).messageId;
      const earlier = said('old', textPart('From before.'));
      const history = [earlier, said(own, textPart('Roll.'), 'user'), said('m1', call), said('m2', response)];
      const artifacts = [{ artifactId: `a-${index}`, parts: [textPart('Four.')] }];
      return { result: taskIn('completed', { history, artifacts }) };
    });
    const [turn] = await converse(a2aAgent(url, { streaming: false }), 'Roll.');
    expect(answerOf(turn)).toBe('Four.');
    expect(toolSteps(turn!.invocation)).toMatchObject([
      { call: { name: 'roll' }, response: { response: { value: 4 } } },
    ]);
    expect(JSON.stringify(turn?.invocation)).not.toContain('From before.');
    expect(turn?.trace).toHaveLength(1);
  });

  it('whose answer came only in pieces is an error', async () => {
    const partial = { append: true, metadata: { adk_author: 'dice', adk_partial: true } };
    const { url } = await startFakeAgent(() => [
      taskIn('submitted'),
      artifactOf('a', [textPart('Fo')], partial),
      statusOf('completed', null, { final: true }),
    ]);
    const [turn] = await converse(a2aAgent(url), 'Roll.');
    expect(turn?.error?.message).toBe('the answer was cut off: only parts of it arrived');
  });
});

describe('options', () => {
  it('are all checked at once, without their values', () => {
    const wrong = { turnTimeout: '0s', pollInterval: 'soon', trustedOrigins: ['https://a.example/s3cret'] } as const;
    expect(() => a2aAgent('http://127.0.0.1:1', wrong as never)).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONFIG',
        problems: [
          { code: 'INVALID_CONFIG', message: expect.stringContaining('turnTimeout must be above 0') },
          { code: 'INVALID_CONFIG', message: expect.stringContaining('pollInterval must be above 0') },
          { code: 'INVALID_CONFIG', message: expect.stringMatching(/^(?!.*s3cret).*trustedOrigins/) },
        ],
      }),
    );
  });

  it('give judges instructions and tools, which a card has not', async () => {
    const { url } = await startFakeAgent(() => answered);
    const tools = [{ name: 'roll', description: 'Rolls a die.' }];
    const agent = a2aAgent(url, { name: 'dice', instructions: 'Roll.', tools });
    expect(await agent.describe?.()).toMatchObject({ name: 'dice', instructions: 'Roll.', tools });
    const [turn] = await converse(agent, 'Hi');
    expect(turn?.invocation.appDetails).toEqual({
      agentDetails: {
        dice: { name: 'dice', instructions: 'Roll.', toolDeclarations: [{ functionDeclarations: tools }] },
      },
    });
  });
});

it('the adapter accepts the URLs of A2A, and leaves others to other adapters', () => {
  const adapter = a2aAgents();
  expect(adapter.accepts('a2a+https://a.example')).toBe(true);
  expect(adapter.accepts('https://a.example/.well-known/agent-card.json')).toBe(true);
  expect(adapter.accepts('https://a.example/apps/dice')).toBe(false);
  expect(adapter.accepts({ name: 'dice', url: 'https://a.example' })).toBe(false);
  expect(adapter.adapt('a2a+https://a.example', '').name).toBe('a.example');
});
