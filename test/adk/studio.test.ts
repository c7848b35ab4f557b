import { fileURLToPath } from 'node:url';
import { startStudio } from '@agent-criteria/studio';
import { describe, expect, it, onTestFinished } from 'vitest';

const folder = fileURLToPath(new URL('home-automation', import.meta.url));

describe('a chat in studio with an agent of @google/adk', () => {
  it("has ADK's events, state and a trace that ADK's web UI can draw", async () => {
    const studio = await startStudio({ folder, port: 0, environment: {}, applyEnvironment: false });
    onTestFinished(() => studio.close());
    const ask = async (path: string, body?: object) => {
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const headers = { authorization: `Bearer ${studio.token}` };
      const answer = await fetch(studio.url + path, { ...init, headers });
      expect(answer.status).toBe(200);
      return answer.json();
    };
    const [app] = studio.apps;
    const sessions = `/apps/${app}/users/ann/sessions`;
    const { id } = (await ask(sessions, { state: { seeded: 1 } })) as { id: string };
    const newMessage = { role: 'user', parts: [{ text: 'Turn off device_2 in the Bedroom.' }] };
    await ask('/run', { appName: app, userId: 'ann', sessionId: id, newMessage });
    const session = (await ask(`${sessions}/${id}`)) as { events: Record<string, unknown>[]; state: object };
    expect(session.state).toMatchObject({ seeded: 1, home: {} });
    expect(session.events).toMatchObject([
      { author: 'user', content: newMessage },
      { author: 'home_automation_agent', content: { parts: [{ functionCall: {} }] }, usageMetadata: {} },
      { content: { parts: [{ functionResponse: {} }] }, actions: { stateDelta: { home: {} } } },
      { content: { parts: [{ text: expect.any(String) }] } },
    ]);
    const [, called, answered, said] = session.events;
    const spans = (await ask(`/dev/apps/${app}/debug/trace/session/${id}`)) as {
      name: string;
      attributes: Record<string, unknown>;
    }[];
    expect(spans.map(({ name, attributes }) => [name.split(' ')[0], attributes['gcp.vertex.agent.event_id']])).toEqual([
      ['invocation', undefined],
      ['invoke_agent', ''],
      ['generate_content', called?.id],
      ['execute_tool', answered?.id],
      ['generate_content', said?.id],
    ]);
    expect(spans.flatMap(({ attributes }) => Object.values(attributes))).not.toContain(null);
    expect(await ask(`/dev/apps/${app}/debug/trace/${called?.id}`)).toMatchObject({
      'gen_ai.conversation.id': id,
      'gcp.vertex.agent.llm_request': expect.stringContaining('device_2'),
    });
    expect(await ask(`/dev/apps/${app}/build_graph`)).toMatchObject({
      root_agent: {
        name: 'home_automation_agent',
        type: 'LlmAgent',
        tools: expect.arrayContaining([{ type: 'tool', name: expect.any(String) }]),
      },
    });
  });

  it.each(['a branch', 'an import'])(
    'continues from an earlier message in %s without running a tool again',
    async (way) => {
      const studio = await startStudio({ folder, port: 0, environment: {}, applyEnvironment: false });
      onTestFinished(() => studio.close());
      const [app = ''] = studio.apps;
      const ask = async (path: string, body?: object) => {
        const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
        const answer = await fetch(studio.url + path, {
          ...init,
          headers: { authorization: `Bearer ${studio.token}` },
        });
        expect(answer.status).toBe(200);
        return answer.json();
      };
      const say = (sessionId: string, text: string) =>
        ask('/run', { appName: app, userId: 'user', sessionId, newMessage: { role: 'user', parts: [{ text }] } });
      const at = `/api/apps/${app}/sessions`;
      const { id } = (await ask(at, {})) as { id: string };
      await say(id, 'Turn off device_2 in the Bedroom.');
      const told = (await ask(`${at}/${id}`)) as { events: { id: string }[]; state: object };
      await say(id, 'What is the status of device_1?');

      let next: string;
      if (way === 'a branch') {
        const { events } = (await ask(`${at}/${id}`)) as typeof told;
        const event = events[told.events.length]?.id;
        const branch = (await ask(`${at}/${id}/branch`, { event, text: 'Turn that one on.' })) as {
          session: typeof told & { id: string };
        };
        expect(branch.session).toMatchObject({ events: told.events, state: told.state });
        next = branch.session.id;
      } else {
        const { events, state } = told;
        next = ((await ask(`/apps/${app}/users/user/sessions`, { events, state })) as { id: string }).id;
      }
      // The device is known only from earlier messages.
      const events = (await say(next, 'Turn that one on.')) as object[];
      expect(events).toMatchObject([
        { content: { parts: [{ functionCall: { name: 'set_device_info', args: { device_id: 'device_2' } } }] } },
        {},
        { content: { parts: [{ text: 'I have set the device_2 status to on.' }] } },
      ]);
      const after = (await ask(`${at}/${next}`)) as typeof told;
      expect(after.events.slice(0, told.events.length)).toEqual(told.events);
      expect(await ask(`${at}/${id}`)).toMatchObject({ state: told.state });
    },
  );
});
