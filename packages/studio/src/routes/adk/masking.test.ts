import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { studioOf, type TestStudio } from '../../__fixtures__/running-studio.ts';
import type { SessionDetail } from '../../api.ts';

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

it('known secrets in conversations and results are masked', async () => {
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
  // The conversation is saved to a file as a case.
  const add = { evalId: 'added', sessionId: id, userId: 'user' };
  expect((await studio.json('POST', '/apps/desk/eval_sets/home/add_session', add)).status).toBe(200);
  const saved = await get('/apps/desk/eval_sets/home/evals/added');
  expect(saved).toContain('[masked: ');
  expect(saved).not.toContain(byForm);
});

it('the agent receives messages unmasked', async () => {
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

it('nothing is masked if masking is turned off', async () => {
  const { streamed } = await chatted({ settings: { maskSecrets: false } });
  expect(streamed).toContain(inEnvironment);
});

/** Deletes variables after the test, because agents set them in this process. */
function withoutVariables(...names: readonly string[]): void {
  onTestFinished(() => {
    for (const name of names) delete process.env[name];
  });
}

async function say({ json }: TestStudio, app: string, text: string, path = '/run') {
  const { id } = (await json('POST', `/api/apps/${app}/sessions`, {})).body as SessionDetail;
  const newMessage = { role: 'user', parts: [{ text }] };
  const { status, body } = await json('POST', path, { appName: app, userId: 'user', sessionId: id, newMessage });
  return { id, status, text: JSON.stringify(body) };
}

it("variables from an agent's .env, or set by the agent on load or while answering, are masked", async () => {
  withoutVariables('IN_FILE_API_KEY', 'AT_LOAD_API_KEY', 'IN_TURN_API_KEY');
  const agent = `import { readFileSync } from 'node:fs';
process.env.AT_LOAD_API_KEY = 'at-load-secret-value-1';
const own = readFileSync(new URL('.env', import.meta.url), 'utf8').match(/OVERRIDDEN_TOKEN=(.*)/)[1];
export const rootAgent = () => {
  process.env.IN_TURN_API_KEY = 'in-turn-secret-value-2';
  return [process.env.IN_FILE_API_KEY, process.env.AT_LOAD_API_KEY, process.env.IN_TURN_API_KEY, own].join(', ');
};`;
  const env = 'IN_FILE_API_KEY=in-file-secret-value-3\nOVERRIDDEN_TOKEN=overridden-secret-value-4\n';
  const set = { eval_set_id: 'home', eval_cases: [] };
  const environment = { ...process.env, OVERRIDDEN_TOKEN: 'a-value-that-was-set-before' };
  const studio = await studioOf(
    {
      'desk/agent.mjs': agent,
      'desk/.env': env,
      'desk/home.evalset.json': set,
      'other/agent.mjs': agent,
      'other/.env': '\nOVERRIDDEN_TOKEN=x',
    },
    { applyEnvironment: true, environment },
  );
  const { id, text } = await say(studio, 'desk', 'Hi');
  expect(text).toContain(
    '[masked: IN_FILE_API_KEY], [masked: AT_LOAD_API_KEY], [masked: IN_TURN_API_KEY], [masked: OVERRIDDEN_TOKEN]',
  );
  const add = { evalId: 'added', sessionId: id, userId: 'user' };
  expect((await studio.json('POST', '/apps/desk/eval_sets/home/add_session', add)).status).toBe(200);
  const saved = readFileSync(join(studio.folder, 'desk/home.evalset.json'), 'utf8');
  expect(saved).toContain('[masked: IN_TURN_API_KEY]');
  expect(text + saved).not.toMatch(/secret-value/);
});

it('secrets in errors are masked', async () => {
  const boom = `export const rootAgent = () => { throw new Error('boom ${inEnvironment} ${byForm}'); };`;
  const broken = `throw new Error('cannot connect with ${inEnvironment}, ${byForm}');`;
  const studio = await studioOf(
    { 'desk/agent.mjs': boom, 'desk/home.evalset.json': files['desk/home.evalset.json'], 'broken/agent.mjs': broken },
    { environment: { SHOP_API_KEY: inEnvironment } },
  );
  const { id, ...failed } = await say(studio, 'desk', 'Hi');
  const ask = async (method: string, path: string, body?: unknown) => {
    const { status, body: answer } = await studio.json(method, path, body);
    return { status, text: JSON.stringify(answer) };
  };
  const add = { evalId: 'added', sessionId: id, userId: 'user' };
  const answers = {
    chat: failed,
    session: await ask('GET', `/api/apps/desk/sessions/${id}`),
    add: await ask('POST', '/apps/desk/eval_sets/home/add_session', add),
    newAdd: await ask('POST', '/dev/apps/desk/eval-sets/home/add-session', add),
    run: await say(studio, 'broken', 'Hi'),
    stream: await say(studio, 'broken', 'Hi', '/run_sse'),
    agent: await ask('GET', '/api/apps/broken/agent'),
    runs: await ask('POST', '/api/runs', { app: 'broken', set: 'none' }),
    graph: await ask('GET', '/dev/apps/broken/build_graph'),
  };
  for (const [name, { status, text }] of Object.entries(answers)) {
    expect(text, name).not.toContain(inEnvironment);
    expect(text, name).not.toContain(byForm);
    if (name !== 'runs') expect(text, name).toContain('[masked: SHOP_API_KEY]');
    if (!['chat', 'session'].includes(name)) expect(status, name).toBeGreaterThanOrEqual(400);
  }
});

it('file contents are sent unmasked, even in conflicts', async () => {
  const evalCase = { eval_id: 'a', conversation: [{ user_content: { parts: [{ text: `Use ${byForm}` }] } }] };
  const studio = await studioOf({
    'desk/agent.mjs': agent,
    'desk/home.evalset.json': { eval_set_id: 'home', eval_cases: [evalCase] },
  });
  const path = '/api/apps/desk/sets/home/cases/a';
  const stale = await studio.ask(path, {
    method: 'PUT',
    body: JSON.stringify(evalCase),
    headers: { 'if-match': '"old"' },
  });
  expect(stale.status).toBe(412);
  expect(await stale.text()).toContain(byForm);
});
