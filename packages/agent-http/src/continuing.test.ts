import { type Agent, contentText, type Json, type SessionStart } from '@agent-criteria/core';
import type { EarlierTurn } from '@agent-criteria/core/host';
import { message } from '@agent-criteria/core/testing';
import { type FakeAdkOptions, says, startFakeAdkServer } from '@agent-criteria/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpAgent } from './http-agent.ts';

const user = (text: string) => message('user', text);

async function serve(options: FakeAdkOptions = {}) {
  const server = await startFakeAdkServer(options);
  onTestFinished(() => server.close());
  return { server, agent: httpAgent(`${server.url}/apps/my_app`) };
}

function open(agent: Agent, start: Partial<SessionStart> = {}, signal = new AbortController().signal) {
  return agent.open({ key: { setId: 's', caseId: 'c', repeat: 0 }, userId: 'ada', state: {}, ...start }, signal);
}

const said = (role: string, text: string) => ({ role, parts: [{ text }] });
const events: readonly Json[] = [
  { id: 'u', author: 'user', invocationId: 'i', content: said('user', 'one') },
  { id: 'p', author: 'my_app', invocationId: 'i', content: said('model', 'on'), partial: true },
  { id: 'a', author: 'my_app', invocationId: 'i', content: said('model', 'one') },
];
const history: readonly EarlierTurn[] = [
  { invocation: { userContent: user('one'), finalResponse: message('model', 'one') }, events },
];

describe('an HTTP session that continues earlier turns', () => {
  it.each(['python', 'agent-engine'] as const)(
    'starts with their events without sending a message (%s)',
    async (dialect) => {
      const { server, agent } = await serve({ dialect });
      expect(agent.supportsHistory).toBe(true);
      const session = await open(agent, { state: { city: 'Rome' }, history });
      expect(server.sessions).toMatchObject([{ state: { city: 'Rome' }, events: [events[0], events[2]] }]);
      expect(server.requests.some(({ path }) => path.startsWith('/run'))).toBe(false);
      const { invocation } = await session.send(user('two'));
      expect(contentText(invocation.finalResponse)).toBe('two');
    },
  );

  it('starts with events built from the turns if the turns contain no reported events', async () => {
    const { server, agent } = await serve({ dialect: 'python' });
    const call = { name: 'look_up', args: { q: 1 } };
    const intermediateData = { toolUses: [call], toolResponses: [{ name: 'look_up', response: { a: 1 } }] };
    const turn = { userContent: user('one'), finalResponse: message('model', 'first'), intermediateData };
    await open(agent, { history: [{ invocation: turn }] });
    const authors = server.sessions[0]?.events.map((event) => Object(event).author);
    expect(authors).toEqual(['user', 'my_app', 'my_app', 'my_app']);
    expect(JSON.stringify(server.sessions[0]?.events)).toContain('"functionCall":{"name":"look_up"');
  });

  it.each(['python-1.0', 'typescript', 'java'] as const)(
    'cannot be opened if the server drops the events (%s)',
    async (dialect) => {
      const { server, agent } = await serve({ dialect });
      await expect(open(agent, { history })).rejects.toMatchObject({
        code: 'NOT_SUPPORTED',
        message: expect.stringContaining('send the earlier messages again'),
      });
      expect(server.sessions).toEqual([]);
    },
  );
});

describe('the state of an HTTP session', () => {
  it('can be changed between two turns', async () => {
    const { server, agent } = await serve();
    const session = await open(agent, { state: { a: 1, b: 1 } });
    await session.changeState?.({ b: 2 });
    expect(server.sessions).toMatchObject([{ state: { a: 1, b: 2 } }]);
  });

  it.each(['typescript', 'java'] as const)('rejects a change that the server does not apply (%s)', async (dialect) => {
    const { agent } = await serve({ dialect });
    const session = await open(agent);
    await expect(session.changeState?.({ b: 2 })).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  });
});

describe('a turn of an HTTP session', () => {
  it('leaves the session usable after it is stopped', async () => {
    const { server, agent } = await serve();
    const session = await open(agent);
    server.fail({ hang: true });
    const stop = new AbortController();
    const sent = session.send(user('one'), { signal: stop.signal });
    await expect.poll(() => server.requests.some(({ path }) => path === '/run')).toBe(true);
    stop.abort(new Error('enough'));
    await expect(sent).rejects.toThrow('enough');
    expect(contentText((await session.send(user('two'))).invocation.finalResponse)).toBe('two');
  });

  it.each([
    [true, '/run_sse', 1],
    [false, '/run', 0],
  ])('requests streaming only if the turn asks for it: %s', async (streaming, path, pieces) => {
    const { server, agent } = await serve({
      apps: { my_app: (asked) => [...(asked.streaming ? [{ ...says('h'), partial: true }] : []), says('hello')] },
    });
    const session = await open(agent);
    const seen: unknown[] = [];
    const { invocation } = await session.send(user('x'), { onEvent: (event) => void seen.push(event), streaming });
    expect(contentText(invocation.finalResponse)).toBe('hello');
    expect(seen).toHaveLength(1 + pieces);
    expect(server.requests.at(-1)?.path).toBe(path);
  });
});

describe('the artifacts of an HTTP session', () => {
  it('are listed and loaded from the server', async () => {
    const { agent } = await serve({
      artifacts: { 'a/b c.txt': [{ text: 'one' }, { inline_data: { data: 'AA==', mime_type: 'image/png' } }] },
    });
    const { artifacts } = await open(agent);
    expect(await artifacts?.list()).toEqual([{ name: 'a/b c.txt', versions: [0, 1] }]);
    expect(await artifacts?.load('a/b c.txt', 0)).toEqual({ text: 'one' });
    expect(await artifacts?.load('a/b c.txt', 1)).toEqual({ inlineData: { data: 'AA==', mimeType: 'image/png' } });
    expect(await artifacts?.load('a/b c.txt', 2)).toBeNull();
  });

  it('are empty if the server does not support them', async () => {
    const { agent } = await serve({ without: ['/artifacts'] });
    expect(await (await open(agent)).artifacts?.list()).toEqual([]);
  });
});
