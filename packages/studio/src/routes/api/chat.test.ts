import { expect, it } from 'vitest';
import { restarted, studioOf } from '../../__fixtures__/running-studio.ts';
import type { CaseDraft, SessionDetail, SessionSummary } from '../../api.ts';

const agent = `export const rootAgent = (message, session) => {
  if (message === 'fail') throw new Error('it broke');
  session.state.turns = (session.state.turns ?? 0) + 1;
  return { text: 'Booked: ' + message, toolCalls: [{ name: 'book', args: { day: '2026-11-23', what: message } }] };
};
`;
const files = { 'desk/agent.mjs': agent, 'desk/home.evalset.json': { eval_set_id: 'home', eval_cases: [] } };

it('a conversation starts from a given state, and its draft case has suggested matchers', async () => {
  const studio = await studioOf(files);
  const made = await studio.json('POST', '/api/apps/desk/sessions', { state: { city: 'Rome' } });
  expect(made).toMatchObject({ status: 200, body: { userId: 'user', initialState: { city: 'Rome' }, events: [] } });
  const { id } = made.body as SessionDetail;
  await studio.json('POST', '/run', {
    appName: 'desk',
    userId: 'user',
    sessionId: id,
    newMessage: { role: 'user', parts: [{ text: 'a table' }] },
  });
  const at = `/api/apps/desk/sessions/${id}`;
  const detail = (await studio.json('GET', at)).body as SessionDetail;
  expect(detail.initialState).toEqual({ city: 'Rome' });
  expect(detail.state).toEqual({ city: 'Rome', turns: 1 });
  expect(detail.spans.map(({ name }) => name)).toContain('invocation');
  const listed = (await studio.json('GET', '/api/apps/desk/sessions')).body as SessionSummary[];
  expect(listed).toMatchObject([{ id, opening: 'a table', messages: 1 }]);

  const draft = (await studio.json('POST', `${at}/case`, { set: 'home', evalId: 'table' })).body as CaseDraft;
  expect(draft.bare).toMatchObject({ evalId: 'table', sessionInput: { state: { city: 'Rome' } } });
  expect(draft.bare.agentCriteria).toBeUndefined();
  expect(draft.suggestions).toMatchObject([{ tool: 'book', path: 'day', kind: 'a date' }]);
  expect(draft.evalCase.agentCriteria).toEqual({
    tool_trajectory_avg_score: { matchers: { book: { day: { shape: 'date' } } } },
  });
  expect((await studio.json('POST', '/api/apps/desk/sets/home/cases', draft.evalCase)).status).toBe(200);

  expect((await studio.json('DELETE', at)).status).toBe(200);
  expect((await studio.json('GET', at)).status).toBe(404);
});

it('the agent route describes an agent with its tools and sub-agents', async () => {
  const studio = await studioOf(files);
  expect((await studio.json('GET', '/api/apps/desk/agent')).body).toMatchObject({ tools: [], sub_agents: [] });
});

it('a draft case omits messages whose answer failed', async () => {
  const studio = await studioOf(files);
  const { id } = (await studio.json('POST', '/api/apps/desk/sessions', {})).body as SessionDetail;
  const say = (text: string) =>
    studio.json('POST', '/run', {
      appName: 'desk',
      userId: 'user',
      sessionId: id,
      newMessage: { role: 'user', parts: [{ text }] },
    });
  const draft = () => studio.json('POST', `/api/apps/desk/sessions/${id}/case`, {});
  await say('fail');
  expect(await draft()).toMatchObject({ status: 409, body: { detail: expect.stringContaining('nothing to expect') } });
  await say('a table');
  const { bare, notes } = (await draft()).body as CaseDraft;
  expect(bare.conversation).toHaveLength(1);
  expect(notes).toEqual(['Left out, because the agent failed or was stopped there: message 1.']);
});

it('a message with the key of an earlier one is not sent to the agent again, also after a restart', async () => {
  const studio = await studioOf(files);
  const { id } = (await studio.json('POST', '/api/apps/desk/sessions', {})).body as SessionDetail;
  const at = `/api/apps/desk/sessions/${id}`;
  const message = { content: { role: 'user', parts: [{ text: 'a table' }] }, key: 'k1' };
  const turns = async (one: typeof studio) => {
    await expect.poll(async () => ((await one.json('GET', at)).body as SessionDetail).isBusy).toBe(false);
    return ((await one.json('GET', at)).body as SessionDetail).state.turns;
  };
  expect((await studio.json('POST', `${at}/turns`, message)).status).toBe(200);
  expect((await studio.json('POST', `${at}/turns`, message)).status).toBe(200);
  expect(await turns(studio)).toBe(1);
  await studio.close();
  const later = await restarted(studio);
  expect((await later.json('POST', `${at}/turns`, message)).status).toBe(200);
  expect(await turns(later)).toBe(1);
  expect((await later.json('POST', `${at}/turns`, { ...message, key: 'k2' })).status).toBe(200);
  const asked = async () =>
    ((await later.json('GET', at)).body as SessionDetail).events.filter(({ author }) => author === 'user').length;
  await expect.poll(asked).toBe(2);
  expect((await later.json('POST', `${at}/turns`, { ...message, key: '' })).status).toBe(422);
});
