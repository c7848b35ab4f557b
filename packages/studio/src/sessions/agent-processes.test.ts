// Long: starts many processes.
import { expect, it } from 'vitest';
import { writeFiles } from '../../../../test/folder.ts';
import { studioOf, type TestStudio } from '../__fixtures__/running-studio.ts';
import type { CaseRow, Page, SessionDetail } from '../api.ts';

const ownProcesses = { agentProcesses: true, environment: { PATH: process.env.PATH } };

/** An agent that answers with its version and with how much of the conversation it knows. */
const agent = (version: string) => `export const rootAgent = (text, { history, state }) => {
  if (text === 'exit') process.exit(7);
  state.said = [...(state.said ?? []), text];
  return \`${version} \${history.length} \${process.env.TONE ?? 'none'}\`;
};
`;

/** An agent that takes no history. */
const forgetful = (version: string) => `export const rootAgent = {
  name: 'forgetful',
  async open({ state }) {
    let turns = 0;
    return {
      send: async (content) => {
        turns += 1;
        const text = \`${version} \${turns} \${JSON.stringify(state)}\`;
        return { invocation: { userContent: content, finalResponse: { parts: [{ text }] } } };
      },
      state: async () => ({ turns }),
      close: async () => undefined,
    };
  },
};
`;

async function chat(studio: TestStudio, app: string, state: object = {}) {
  const { id } = (await studio.json('POST', `/api/apps/${app}/sessions`, { state })).body as SessionDetail;
  const detail = async () => (await studio.json('GET', `/api/apps/${app}/sessions/${id}`)).body as SessionDetail;
  const say = async (text: string): Promise<string | undefined> => {
    const newMessage = { role: 'user', parts: [{ text }] };
    const { body } = await studio.json('POST', '/run', { appName: app, userId: 'user', sessionId: id, newMessage });
    const last = (body as { readonly content?: { parts: { text: string }[] }; readonly errorMessage?: string }[]).at(
      -1,
    );
    return last?.errorMessage ?? last?.content?.parts[0]?.text;
  };
  return { say, detail };
}

it('a chat continues with the code that is on disk, and with its conversation and state', async () => {
  const studio = await studioOf({ 'echo/agent.mjs': agent('v1') }, ownProcesses);
  const { say, detail } = await chat(studio, 'echo');
  expect(await say('one')).toBe('v1 0 none');
  writeFiles(studio.folder, { 'echo/agent.mjs': agent('v2') });
  expect(await say('two')).toBe('v2 1 none');
  expect((await detail()).state).toEqual({ said: ['one', 'two'] });
  writeFiles(studio.folder, { 'echo/.env': 'TONE=kind\n' });
  expect(await say('three')).toBe('v2 2 kind');
  expect((await detail()).startedOver).toEqual([]);
});

it('a chat whose agent takes no history starts over with new code, and says before which message', async () => {
  const studio = await studioOf({ 'forgetful/agent.mjs': forgetful('v1') }, ownProcesses);
  const { say, detail } = await chat(studio, 'forgetful', { city: 'Rome' });
  expect(await say('one')).toBe('v1 1 {"city":"Rome"}');
  expect(await say('two')).toBe('v1 2 {"city":"Rome"}');
  writeFiles(studio.folder, { 'forgetful/agent.mjs': forgetful('v2') });
  expect(await say('three')).toBe('v2 1 {"city":"Rome"}');
  const { startedOver, events } = await detail();
  expect(startedOver).toHaveLength(1);
  expect(events.find(({ id }) => id === startedOver[0])).toMatchObject({ content: { parts: [{ text: 'three' }] } });
});

it('a run judges the code that is on disk', async () => {
  const set = {
    eval_set_id: 'home',
    eval_cases: [
      {
        eval_id: 'a',
        conversation: [
          { user_content: { parts: [{ text: 'x' }] }, final_response: { parts: [{ text: 'v2 0 none' }] } },
        ],
      },
    ],
  };
  const studio = await studioOf(
    {
      'echo/agent.mjs': agent('v1'),
      'echo/home.evalset.json': set,
      'echo/test_config.json': { criteria: { response_match_score: 1 } },
    },
    ownProcesses,
  );
  const verdict = async () => {
    const { id } = (await studio.json('POST', '/api/runs', { app: 'echo', sets: ['home'] })).body as { id: string };
    await (await studio.ask(`/api/runs/${id}/events`)).text();
    return ((await studio.json('GET', `/api/runs/${id}/cases`)).body as Page<CaseRow>).items[0]?.verdict;
  };
  expect(await verdict()).toBe('failed');
  writeFiles(studio.folder, { 'echo/agent.mjs': agent('v2') });
  expect(await verdict()).toBe('passed');
});

it('an agent that exits fails its turn only: the next turn and other agents go on', async () => {
  const studio = await studioOf({ 'echo/agent.mjs': agent('v1'), 'other/agent.mjs': agent('other') }, ownProcesses);
  const [first, second] = [await chat(studio, 'echo'), await chat(studio, 'other')];
  expect(await second.say('one')).toBe('other 0 none');
  expect(await first.say('exit')).toContain('its process ended with exit code 7');
  expect(await second.say('two')).toBe('other 1 none');
  expect(await first.say('again')).toMatch(/^v1 \d none$/);
});

it('an agent that cannot be loaded is refused with its error until it is repaired', async () => {
  const studio = await studioOf({ 'echo/agent.mjs': 'export const rootAgent = ;' }, ownProcesses);
  const { id } = (await studio.json('POST', '/api/apps/echo/sessions', { state: {} })).body as SessionDetail;
  const newMessage = { role: 'user', parts: [{ text: 'x' }] };
  const run = () => studio.json('POST', '/run', { appName: 'echo', userId: 'user', sessionId: id, newMessage });
  const refused = await run();
  expect(refused.status).toBe(500);
  expect(JSON.stringify(refused.body)).toContain('the agent module does not load');
  writeFiles(studio.folder, { 'echo/agent.mjs': agent('repaired') });
  expect(JSON.stringify((await run()).body)).toContain('repaired 0 none');
});
