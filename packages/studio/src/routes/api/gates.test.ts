import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import type { PageIndex } from '@agent-criteria/viewer';
import { expect, it } from 'vitest';
import { echoAgent, homeSet, studioOf } from '../../__fixtures__/running-studio.ts';
import type { LastRun, RunDetail, RunPage } from '../../api.ts';

const [greets] = homeSet.eval_cases;

/** Runs the studio's only case, which passes, with these gates. */
async function ran(gates: object) {
  const studio = await studioOf(
    {
      'echo/agent.mjs': echoAgent,
      'echo/home.evalset.json': { eval_set_id: 'home', eval_cases: [greets] },
      'echo/test_config.json': { criteria: { response_match_score: 0.9 }, agent_criteria: { gates } },
    },
    { builtIn: { plugins: [responseMatch] } },
  );
  const start = async () => {
    const { id } = (await studio.json('POST', '/api/runs', { app: 'echo' })).body as { id: string };
    await (await studio.ask(`/api/runs/${id}/events`)).text();
    return id;
  };
  const get = async <Answer>(path: string) => (await studio.json('GET', `/api${path}`)).body as Answer;
  return { start, get };
}

it('the gates in the config apply to runs started in the studio and are shown in every view', async () => {
  const { start, get } = await ran({ pass_rate: 0.9 });
  const id = await start();
  const expected = {
    state: 'recorded',
    verdict: 'cannot-tell',
    exitCode: 3,
    headline: '1 passed of 1 case; the gate cannot tell: exit 3',
    gates: [{ name: 'pass_rate', holds: null }],
  };
  const { outcome, summary } = await get<RunDetail>(`/runs/${id}`);
  expect(summary.verdict).toBe('passed');
  expect(outcome).toMatchObject(expected);
  expect((await get<PageIndex>(`/runs/${id}/view`)).outcome).toMatchObject(expected);
  expect((await get<RunPage>('/runs')).runs[0]?.outcome).toMatchObject(expected);
  // The set's last run has the verdict of the whole run.
  expect(await get<LastRun[]>('/last-runs')).toMatchObject([{ run: id, verdict: 'cannot-tell' }]);
});

it('a gate that cannot be prepared is undecided, and the run continues', async () => {
  const { start, get } = await ran({ regression: true });
  const { outcome } = await get<RunDetail>(`/runs/${await start()}`);
  expect(outcome).toMatchObject({ exitCode: 3, gates: [{ name: 'gates', holds: null }] });
  expect(outcome?.gates[0]?.text).toContain('the gate "regression" needs a baseline');
});

it('a gate against the last run compares with the previous run', async () => {
  const { start, get } = await ran({ regression: true, baseline: 'last' });
  const first = await start();
  expect((await get<RunDetail>(`/runs/${first}`)).outcome).toMatchObject({ exitCode: 0, gates: [] });
  const second = await start();
  expect((await get<RunDetail>(`/runs/${second}`)).outcome?.gates).toMatchObject([
    { name: 'regression', baseline: { id: first } },
  ]);
});
