import { says, startFakeAdkServer } from '@agent-criteria/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { homeFiles, studioOf, type TestStudio } from '../../__fixtures__/running-studio.ts';

const SESSIONS = '/apps/echo/users/ann/sessions';

/** Creates a session with a state. @returns its id. */
async function begin({ json }: TestStudio, body: unknown = null, app = 'echo'): Promise<string> {
  const { body: session } = await json('POST', `/apps/${app}/users/ann/sessions`, body);
  return (session as { id: string }).id;
}

const message = (sessionId: string, text: string, app = 'echo') => ({
  appName: app,
  userId: 'ann',
  sessionId,
  newMessage: { role: 'user', parts: [{ text }] },
  streaming: false,
  stateDelta: null,
});

describe.each(['/apps', '/dev/apps'])('sessions below %s', (prefix) => {
  it('can be created, listed, changed and deleted', async () => {
    const { json } = await studioOf();
    const path = `${prefix}/echo/users/ann/sessions`;
    const { status, body } = await json('POST', path, { state: { city: 'Rome' } });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^[\w-]{36}$/),
      appName: 'echo',
      userId: 'ann',
      state: { city: 'Rome' },
      events: [],
      lastUpdateTime: expect.any(Number),
    });
    const { id } = body as { id: string };
    expect((await json('POST', `${path}/mine`, { older: true })).body).toMatchObject({
      id: 'mine',
      state: { older: true },
    });
    expect((await json('POST', `${path}/mine`)).status).toBe(409);
    expect((await json('GET', path)).body).toMatchObject([{ id }, { id: 'mine' }]);
    expect((await json('GET', path.replace('ann', 'bob'))).body).toEqual([]);
    const changed = await json('PATCH', `${path}/${id}`, { stateDelta: { city: 'Oslo' } });
    expect(changed.body).toMatchObject({ state: { city: 'Oslo' } });
    expect((await json('POST', path, { state: 3 })).status).toBe(422);
    expect((await json('DELETE', `${path}/${id}`)).status).toBe(200);
    expect((await json('GET', `${path}/${id}`)).status).toBe(404);
    expect((await json('GET', `${path}/${id}/artifacts`)).body).toEqual([]);
  });
});

describe('a chat', () => {
  it('with a function returns its events and stores them along with the state', async () => {
    const studio = await studioOf();
    const id = await begin(studio, { state: { city: 'Rome' } });
    const { status, body } = await studio.json('POST', '/run', message(id, 'Hi'));
    expect(status).toBe(200);
    const said = [
      {
        author: 'rootAgent',
        content: { role: 'model', parts: [{ functionCall: { name: 'look_up', args: { text: 'Hi' } } }] },
      },
      { author: 'rootAgent', content: { role: 'model', parts: [{ text: 'You said: Hi' }] } },
    ];
    expect(body).toMatchObject(said);
    await studio.json('POST', '/run', message(id, 'Bye'));
    const { body: session } = await studio.json('GET', `${SESSIONS}/${id}`);
    const { events, state } = session as { events: Record<string, unknown>[]; state: object };
    expect(state).toEqual({ city: 'Rome', turns: 2 });
    expect(events).toMatchObject([{ author: 'user', content: { parts: [{ text: 'Hi' }] } }, ...said, {}, {}, {}]);
    expect(new Set(events.map((event) => event.id)).size).toBe(6);
    expect(new Set(events.map((event) => event.invocationId)).size).toBe(2);
    for (const { timestamp } of events) expect(timestamp).toBeLessThan(1e11);
    // The next session starts without that state.
    const other = await begin(studio);
    expect((await studio.json('GET', `${SESSIONS}/${other}`)).body).toMatchObject({ state: {}, events: [] });
  });

  it('streams events', async () => {
    const studio = await studioOf();
    const id = await begin(studio);
    const answer = await studio.ask('/run_sse', { method: 'POST', body: JSON.stringify(message(id, 'Hi')) });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const lines = (await answer.text()).split('\n').filter((line) => line !== '');
    expect(lines.map((line) => JSON.parse(line.replace(/^data: /, '')))).toMatchObject([
      { content: { parts: [{ functionCall: {} }] } },
      { content: { parts: [{ text: 'You said: Hi' }] } },
    ]);
  });

  it('reports a failure as an event and accepts the next message', async () => {
    const studio = await studioOf();
    const id = await begin(studio);
    const failed = await studio.json('POST', '/run', message(id, 'fail'));
    expect(failed).toMatchObject({ status: 200, body: [{ errorCode: 'AGENT_FAILED', errorMessage: 'it broke' }] });
    expect((await studio.json('POST', '/run', message(id, 'Hi'))).body).toHaveLength(2);
    expect((await studio.json('GET', `${SESSIONS}/${id}`)).body).toMatchObject({
      events: [{ author: 'user' }, { errorCode: 'AGENT_FAILED' }, { author: 'user' }, {}, {}],
    });
  });

  it('rejects an incomplete request before the response begins', async () => {
    const studio = await studioOf({ ...homeFiles, 'broken/agent.mjs': 'throw new Error("no key");' });
    expect((await studio.json('POST', '/run_sse', message('none', 'Hi'))).status).toBe(404);
    expect((await studio.json('POST', '/run', {})).status).toBe(422);
    const id = await begin(studio);
    expect((await studio.json('POST', '/run', { ...message(id, 'Hi'), newMessage: 3 })).status).toBe(422);
    const broken = await begin(studio, null, 'broken');
    expect(await studio.json('POST', '/run_sse', message(broken, 'Hi', 'broken'))).toMatchObject({
      status: 500,
      body: { detail: expect.stringContaining('no key') },
    });
  });

  it('accepts state changes before and between turns and records them as events', async () => {
    const studio = await studioOf();
    const id = await begin(studio);
    await studio.json('POST', '/run', { ...message(id, 'Hi'), stateDelta: { turns: 5 } });
    expect((await studio.json('GET', `${SESSIONS}/${id}`)).body).toMatchObject({ state: { turns: 6 } });
    const patched = await studio.json('PATCH', `${SESSIONS}/${id}`, { stateDelta: { turns: 1 } });
    expect(patched).toMatchObject({ status: 200, body: { state: { turns: 1 } } });
    expect((patched.body as { events: unknown[] }).events.at(-1)).toMatchObject({
      author: 'user',
      invocationId: expect.stringMatching(/^p-/),
      actions: { stateDelta: { turns: 1 } },
    });
    const name = { stateDelta: { __session_metadata__: { displayName: 'Mine' } } };
    expect((await studio.json('PATCH', `${SESSIONS}/${id}`, name)).status).toBe(200);
    await studio.json('POST', '/run', message(id, 'Hi'));
    expect((await studio.json('GET', `${SESSIONS}/${id}`)).body).toMatchObject({
      state: { turns: 2, ...name.stateDelta },
    });
  });

  it('continues an imported conversation if the agent supports it, and is read-only otherwise', async () => {
    const files = {
      'echo/agent.mjs': `export const rootAgent = (message, { history }) => history.length + ' ' + message;`,
      'other/agent.mjs': `export const rootAgent = { name: 'other', open: async () => { throw new Error('opened'); } };`,
    };
    const studio = await studioOf(files);
    const events = [
      { author: 'user', content: { role: 'user', parts: [{ text: 'Hi' }] } },
      { author: 'echo', content: { role: 'model', parts: [{ text: 'Hello' }] } },
    ];
    const id = await begin(studio, { state: { a: 1 }, events });
    expect((await studio.json('GET', `${SESSIONS}/${id}`)).body).toMatchObject({ state: { a: 1 }, events });
    const { body } = await studio.json('POST', '/run', message(id, 'And?'));
    expect(body).toMatchObject([{ content: { parts: [{ text: '1 And?' }] } }]);
    const other = await begin(studio, { events }, 'other');
    expect(await studio.json('POST', '/run', message(other, 'And?', 'other'))).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('imported') },
    });
  });
});

describe('a chat with an agent behind a URL', () => {
  it.each(['camel', 'snake'] as const)('returns the events from its server in %s case', async (spelling) => {
    const usage = { promptTokenCount: 3 };
    const call = { content: { role: 'model', parts: [{ functionCall: { name: 'look_up', args: { a_b: 1 } } }] } };
    const server = await startFakeAdkServer({
      spelling,
      apps: { weather: () => [{ ...call, usageMetadata: usage }, says('Sunny')] },
    });
    onTestFinished(() => server.close());
    const studio = await studioOf({}, { folder: `${server.url}/apps/weather` });
    expect(studio.apps).toEqual(['weather']);
    const id = await begin(studio, { state: { city: 'Rome' } }, 'weather');
    const { body } = await studio.json('POST', '/run', message(id, 'Hi', 'weather'));
    expect(body).toMatchObject([{ ...call, usageMetadata: usage }, { content: { parts: [{ text: 'Sunny' }] } }]);
    expect(server.sessions).toMatchObject([{ id, userId: 'ann', state: { city: 'Rome' } }]);
    const { body: session } = await studio.json('GET', `/apps/weather/users/ann/sessions/${id}`);
    expect(session).toMatchObject({ state: { city: 'Rome' }, events: [{ author: 'user' }, call, {}] });
    await studio.json('DELETE', `/apps/weather/users/ann/sessions/${id}`);
    expect(server.sessions).toEqual([]);
  });
});

describe('trace routes', () => {
  it("send every attribute that ADK's client needs, and never null", async () => {
    const studio = await studioOf();
    const id = await begin(studio);
    await studio.json('POST', '/run', message(id, 'Hi'));
    const { body } = await studio.json('GET', `/dev/apps/echo/debug/trace/session/${id}`);
    const spans = body as { name: string; span_id: string; parent_span_id: string | null; attributes: object }[];
    expect(spans).toMatchObject([
      { name: 'invocation', parent_span_id: null },
      { name: 'invoke_agent rootAgent', attributes: { 'gen_ai.conversation.id': id } },
    ]);
    expect(spans[1]?.parent_span_id).toBe(spans[0]?.span_id);
    expect(spans.flatMap(({ attributes }) => Object.values(attributes))).not.toContain(null);
    for (const path of ['/apps/echo/debug', '/debug']) {
      expect((await studio.json('GET', `${path}/trace/session/${id}`)).body).toEqual(body);
      expect((await studio.json('GET', `${path}/trace/none`)).status).toBe(404);
    }
    expect((await studio.json('GET', '/dev/apps/echo/debug/trace/session/none')).body).toEqual([]);
  });
});

describe('the graph of an agent', () => {
  it("is drawn with an event's calls highlighted", async () => {
    const studio = await studioOf();
    expect((await studio.json('GET', '/dev/apps/echo/build_graph')).body).toMatchObject({
      name: 'echo',
      root_agent: { name: 'rootAgent', type: 'Agent', tools: [], sub_agents: [] },
    });
    expect((await studio.json('GET', '/dev/apps/echo/build_graph_image?dark_mode=true')).body).toMatchObject({
      root_agent: { dotSrc: expect.stringContaining('digraph') },
    });
    const id = await begin(studio);
    const { body } = await studio.json('POST', '/run', message(id, 'Hi'));
    const [event] = body as { id: string }[];
    expect((await studio.json('GET', `/dev${SESSIONS}/${id}/events/${event?.id}/graph`)).body).toEqual({
      dotSrc: expect.stringContaining('filled'),
    });
  });
});
