import { expect, it } from 'vitest';
import { studioOf } from '../__fixtures__/running-studio.ts';
import type { SessionDetail } from '../api.ts';

const inEnvironment = 'correct-horse-battery-staple';
const byForm = `AIza${'SyA1234567890abcdefghijklmnopqrstuv'.slice(0, 35)}`;

const agent = `export const rootAgent = (message, { state }) => {
  state.key = '${byForm}';
  return { text: 'The key is ${inEnvironment}, too: ' + message, toolCalls: [{ name: 'call', args: { key: '${byForm}' } }] };
};
`;

const turn = {
  user_content: { parts: [{ text: 'Hi' }] },
  final_response: { parts: [{ text: `It is ${byForm}` }] },
};
const result = {
  eval_set_result_id: 'desk_home_1',
  eval_set_result_name: 'desk_home_1',
  eval_set_id: 'home',
  eval_case_results: [
    {
      eval_set_id: 'home',
      eval_id: 'a',
      final_eval_status: 1,
      overall_eval_metric_results: [],
      eval_metric_result_per_invocation: [
        { actual_invocation: turn, expected_invocation: null, eval_metric_results: [] },
      ],
      session_id: 'recorded',
      user_id: 'user',
    },
  ],
  creation_timestamp: 1,
};

const files = {
  'desk/agent.mjs': agent,
  'desk/home.evalset.json': { eval_set_id: 'home', eval_cases: [] },
  'desk/.adk/eval_history/desk_home_1.evalset_result.json': result,
};

async function chatted(options = {}) {
  const studio = await studioOf(files, { environment: { SHOP_API_KEY: inEnvironment }, ...options });
  const { id } = (await studio.json('POST', '/api/apps/desk/sessions', { state: { mine: byForm } }))
    .body as SessionDetail;
  const newMessage = { role: 'user', parts: [{ text: `Use ${byForm}` }] };
  const body = JSON.stringify({ appName: 'desk', userId: 'user', sessionId: id, newMessage, streaming: true });
  const streamed = await (await studio.ask('/run_sse', { method: 'POST', body })).text();
  return { studio, id, streamed };
}

it('shows no known secret of a conversation or a result', async () => {
  const { studio, id, streamed } = await chatted();
  const get = async (path: string) => (await studio.ask(path)).text();
  const session = `/api/apps/desk/sessions/${id}`;
  const seen = {
    streamed,
    session: await get(session),
    list: await get('/api/apps/desk/sessions'),
    ofAdk: await get(`/apps/desk/users/user/sessions/${id}`),
    allOfAdk: await get('/apps/desk/users/user/sessions'),
    trace: await get(`/dev/apps/desk/debug/trace/session/${id}`),
    draft: JSON.stringify((await studio.json('POST', `${session}/case`, {})).body),
    result: await get('/apps/desk/eval_results/desk_home_1'),
    recorded: await get('/apps/desk/users/user/sessions/recorded'),
  };
  for (const [what, text] of Object.entries(seen)) {
    expect(text, what).not.toContain(inEnvironment);
    expect(text, what).not.toContain(byForm);
  }
  for (const what of ['streamed', 'session', 'ofAdk', 'draft', 'result', 'recorded'] as const) {
    expect(seen[what], what).toContain('[masked: ');
  }
  expect(seen.draft).toContain('Secrets in this conversation are masked in the case.');
  // A case of it goes into a file.
  const add = { evalId: 'added', sessionId: id, userId: 'user' };
  expect((await studio.json('POST', '/apps/desk/eval_sets/home/add_session', add)).status).toBe(200);
  const saved = await get('/apps/desk/eval_sets/home/evals/added');
  expect(saved).toContain('[masked: ');
  expect(saved).not.toContain(byForm);
});

it('gives the agent what was said, not what is shown', async () => {
  const { studio, id } = await chatted();
  const session = `/api/apps/desk/sessions/${id}`;
  const { events } = (await studio.json('GET', session)).body as SessionDetail;
  await studio.json('POST', '/run', {
    appName: 'desk',
    userId: 'user',
    sessionId: id,
    newMessage: { role: 'user', parts: [{ text: 'again' }] },
  });
  const branched = await studio.json('POST', `${session}/branch`, { event: events[0]?.id, text: 'x' });
  expect(branched.status).toBe(200);
  expect(JSON.stringify(branched.body)).not.toContain(byForm);
});

it('shows everything where masking is off', async () => {
  const { streamed } = await chatted({ settings: { maskSecrets: false } });
  expect(streamed).toContain(inEnvironment);
});
