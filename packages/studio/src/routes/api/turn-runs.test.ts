import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { expect, it } from 'vitest';
import { studioOf, type TestStudio } from '../../__fixtures__/running-studio.ts';
import type { NewTurnRun, RunPage, SessionDetail, TurnPlace, TurnRunDetail, TurnRunEstimate } from '../../api.ts';

/** Says how many turns it knows, what its state has, and how often its process was asked. */
const counting = (name: string) => `let asked = 0;
export const rootAgent = (text, { history, state }) => {
  asked += 1;
  state.said = [...(state.said ?? []), text];
  if (text === 'fail') throw new Error('it broke');
  return { text: \`${name} \${history.length} \${state.said.join('+')}\`, toolCalls: [{ name: 'count', args: { asked } }] };
};
`;

/** Takes no history, and answers with the messages of its session. */
const forgetful = `export const rootAgent = {
  name: 'forgetful',
  async open({ state }) {
    const said = [];
    return {
      id: 'x',
      send: async (content) => {
        said.push(content.parts[0].text);
        if (content.parts[0].text === 'wait') await new Promise(() => undefined);
        return { invocation: { userContent: content, finalResponse: { parts: [{ text: said.join('+') }] } } };
      },
      state: async () => ({ ...state, said }),
      close: async () => undefined,
    };
  },
};
`;

const turn = (text: string, answer: string) => ({
  user_content: { role: 'user', parts: [{ text }] },
  final_response: { role: 'model', parts: [{ text: answer }] },
});

const files = {
  'echo/agent.mjs': counting('echo'),
  'echo/home.evalset.json': {
    eval_set_id: 'home',
    eval_cases: [{ eval_id: 'a', conversation: [turn('one', 'echo 0 one'), turn('two', 'something else')] }],
  },
  'echo/test_config.json': { criteria: { response_match_score: 0.9 } },
  'other/agent.mjs': counting('other'),
  'forgetful/agent.mjs': forgetful,
};
const builtIn = { plugins: [responseMatch] };

async function chatOf(studio: TestStudio, app: string, ...messages: readonly string[]) {
  const { id } = (await studio.json('POST', `/api/apps/${app}/sessions`, { state: {} })).body as SessionDetail;
  for (const text of messages) {
    const newMessage = { role: 'user', parts: [{ text }] };
    await studio.json('POST', '/run', { appName: app, userId: 'user', sessionId: id, newMessage });
  }
  const { events } = (await studio.json('GET', `/api/apps/${app}/sessions/${id}`)).body as SessionDetail;
  return { session: id, messages: events.filter(({ author }) => author === 'user').map((event) => String(event.id)) };
}

async function judgedRun(studio: TestStudio) {
  const { id } = (await studio.json('POST', '/api/runs', { app: 'echo', sets: ['home'] })).body as { id: string };
  await (await studio.ask(`/api/runs/${id}/events`)).text();
  return id;
}

async function runAgain(studio: TestStudio, asked: NewTurnRun): Promise<TurnRunDetail> {
  const { status, body } = await studio.json('POST', '/api/turn-runs', asked);
  expect([status, body]).toEqual([200, { id: expect.any(String) }]);
  const { id } = body as { id: string };
  await (await studio.ask(`/api/turn-runs/${id}/changes`)).text();
  return (await studio.json('GET', `/api/turn-runs/${id}`)).body as TurnRunDetail;
}

const texts = ({ answers }: TurnRunDetail) =>
  answers.map(({ invocation, problem }) => invocation?.finalResponse?.parts?.[0]?.text ?? problem);
const estimate = async (studio: TestStudio, asked: NewTurnRun) =>
  (await studio.json('POST', '/api/turn-runs/estimate', asked)).body as TurnRunEstimate;

it('a turn of a chat runs again from the state and the conversation before it', async () => {
  const studio = await studioOf(files, { builtIn });
  const { session, messages } = await chatOf(studio, 'echo', 'one', 'two', 'three');
  const of: TurnPlace = { app: 'echo', session, event: messages[1] ?? '' };
  const found = await runAgain(studio, { of, times: 3 });
  expect(texts(found)).toEqual(Array(3).fill('echo 1 one+two'));
  expect(found).toMatchObject({ state: 'finished', app: 'echo', turn: 1, of, criteria: [], unscored: null });
  expect(found.original.invocation.finalResponse?.parts?.[0]?.text).toBe('echo 1 one+two');
  expect(found.agents).toEqual([{ variant: null, name: 'echo', app: 'echo', resent: 0, why: null }]);
  // The chat is as it was, and no run is listed.
  const chat = (await studio.json('GET', `/api/apps/echo/sessions/${session}`)).body as SessionDetail;
  expect(chat.state).toEqual({ said: ['one', 'two', 'three'] });
  expect(((await studio.json('GET', '/api/runs')).body as RunPage).runs).toEqual([]);
});

it('a turn runs beside another agent, each as often, under names that the results have', async () => {
  const studio = await studioOf(files, { builtIn });
  const { session, messages } = await chatOf(studio, 'echo', 'one', 'two');
  const of: TurnPlace = { app: 'echo', session, event: messages[1] ?? '' };
  const found = await runAgain(studio, { of, times: 2, beside: { app: 'other' } });
  expect(found.agents.map(({ variant, name }) => [variant, name])).toEqual([
    ['echo', 'echo'],
    ['other', 'other'],
  ]);
  expect(texts(found)).toEqual([...Array(2).fill('echo 1 one+two'), ...Array(2).fill('other 1 one+two')]);
  const unknown = await studio.json('POST', '/api/turn-runs', { of, times: 2, beside: { app: '../x' } });
  expect(unknown.status).toBe(422);
});

it('the conversation with an agent that takes no history is started over, and the estimate says so', async () => {
  const studio = await studioOf(files, { builtIn });
  const { session, messages } = await chatOf(studio, 'forgetful', 'one', 'two', 'three');
  const of: TurnPlace = { app: 'forgetful', session, event: messages[2] ?? '' };
  const { agents, judges } = await estimate(studio, { of, times: 1 });
  expect(agents).toMatchObject([{ resent: 2, each: null }]);
  expect(agents[0]?.why).toBe('The agent "forgetful" takes no history, so each conversation is started over.');
  expect(judges).toBeNull();
  expect(texts(await runAgain(studio, { of, times: 2 }))).toEqual(Array(2).fill('one+two+three'));
});

it('a turn of a failed case is scored by the criteria of its case, and its run is not one of the project', async () => {
  const studio = await studioOf(files, { builtIn });
  const run = await judgedRun(studio);
  const of: TurnPlace = { run, set: 'home', case: 'a', repeat: 0, turn: 1 };
  const found = await runAgain(studio, { of, times: 2 });
  expect(found.expected?.finalResponse?.parts?.[0]?.text).toBe('something else');
  expect(found.criteria.map(({ name }) => name)).toContain('response_match_score');
  for (const { verdict, scores } of found.answers) {
    expect(verdict).toBe('failed');
    expect(scores.find(({ name }) => name === 'response_match_score')).toMatchObject({ verdict: 'failed', score: 0 });
  }
  const first = await runAgain(studio, { of: { ...of, turn: 0 }, times: 1 });
  expect(first.answers.map(({ verdict }) => verdict)).toEqual(['passed']);
  const { runs } = (await studio.json('GET', '/api/runs')).body as RunPage;
  expect(runs.map(({ id }) => id)).toEqual([run]);
});

it('a run does not record the state between turns, so a conversation that changes it is started over', async () => {
  const studio = await studioOf(files, { builtIn });
  const of: TurnPlace = { run: await judgedRun(studio), set: 'home', case: 'a', repeat: 0, turn: 1 };
  const { agents } = await estimate(studio, { of, times: 1 });
  expect(agents).toMatchObject([
    { resent: 1, why: 'A run does not record the state between turns, and this conversation changes its state.' },
  ]);
  expect(texts(await runAgain(studio, { of, times: 1 }))).toEqual(['echo 1 one+two']);
});

it('a turn that failed in a chat runs again, and fails again with its reason', async () => {
  const studio = await studioOf(files, { builtIn });
  const { session, messages } = await chatOf(studio, 'echo', 'one', 'fail');
  const found = await runAgain(studio, { of: { app: 'echo', session, event: messages[1] ?? '' }, times: 1 });
  expect(found.original.problem).toContain('it broke');
  expect(found.answers[0]?.problem).toContain('it broke');
  expect(found.answers[0]?.invocation).toBeNull();
});

it('an answer opens as a session that continues, once', async () => {
  const studio = await studioOf(files, { builtIn });
  const { session, messages } = await chatOf(studio, 'echo', 'one', 'two');
  const { id } = await runAgain(studio, { of: { app: 'echo', session, event: messages[1] ?? '' }, times: 1 });
  const open = async () => (await studio.json('POST', `/api/turn-runs/${id}/session`, { repeat: 0 })).body;
  const made = (await open()) as { readonly app: string; readonly session: string };
  expect(await open()).toEqual(made);
  const newMessage = { role: 'user', parts: [{ text: 'three' }] };
  await studio.json('POST', '/run', { appName: 'echo', userId: 'user', sessionId: made.session, newMessage });
  const detail = (await studio.json('GET', `/api/apps/echo/sessions/${made.session}`)).body as SessionDetail;
  expect(detail.continues).toBe(session);
  expect(detail.events.at(-1)).toMatchObject({ content: { parts: [{ text: 'echo 2 one+two+three' }] } });
});

it('cancelling ends what is under way and starts no more', async () => {
  const studio = await studioOf(files, { builtIn, settings: { concurrency: { agents: 1 } } });
  const { session } = await chatOf(studio, 'forgetful', 'one');
  const content = { role: 'user', parts: [{ text: 'wait' }] };
  await studio.json('POST', `/api/apps/forgetful/sessions/${session}/turns`, { content });
  const stopped = await studio.json('POST', `/api/apps/forgetful/sessions/${session}/stop`);
  const event = (stopped.body as SessionDetail).events.findLast(({ author }) => author === 'user');
  const asked = { of: { app: 'forgetful', session, event: String(event?.id) }, times: 3 };
  const { id } = (await studio.json('POST', '/api/turn-runs', asked)).body as { id: string };
  expect((await studio.json('POST', `/api/turn-runs/${id}/cancel`)).status).toBe(200);
  await (await studio.ask(`/api/turn-runs/${id}/changes`)).text();
  const found = (await studio.json('GET', `/api/turn-runs/${id}`)).body as TurnRunDetail;
  expect(found.state).toBe('cancelled');
  expect(found.answers.every(({ invocation }) => invocation === null)).toBe(true);
});

it('turn runs outlive the studio, and hold no secrets', async () => {
  const environment = { SHOP_API_KEY: 'sk-very-secret-value-1' };
  const studio = await studioOf(files, { builtIn, environment });
  const { session, messages } = await chatOf(studio, 'echo', 'sk-very-secret-value-1');
  const found = await runAgain(studio, { of: { app: 'echo', session, event: messages[0] ?? '' }, times: 1 });
  expect(JSON.stringify(found)).not.toContain('very-secret');
  await studio.close();
  const again = await studioOf({}, { folder: studio.folder, builtIn, environment });
  expect((await again.json('GET', `/api/turn-runs/${found.id}`)).body).toMatchObject({ state: 'finished' });
  expect((await again.json('GET', '/api/turn-runs?app=echo')).body).toMatchObject([{ id: found.id, times: 1 }]);
  expect(readdirSync(join(studio.folder, '.agent-criteria', 'turns'))).toContain(`${found.id}.json`);
  expect((await again.json('GET', '/api/turn-runs/..%2Fstudio')).status).toBe(404);
});

it.each([
  ['a number of times that is too large', { times: 21 }],
  ['no place', { of: {} }],
  ['an export that is not a name', { beside: { app: 'other', agentName: '../x' } }],
])('a request with %s is refused', async (_, wrong) => {
  const studio = await studioOf(files, { builtIn });
  const of = { run: 'r', set: 's', case: 'c', repeat: 0, turn: 0 };
  expect((await studio.json('POST', '/api/turn-runs', { of, times: 1, ...wrong })).status).toBe(422);
});
