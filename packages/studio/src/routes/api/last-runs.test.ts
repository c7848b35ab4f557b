import fs from 'node:fs';
import { join } from 'node:path';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { expect, it } from 'vitest';
import { echoAgent, homeSet, studioOf, type TestStudio } from '../../__fixtures__/running-studio.ts';
import type { LastRun, SetSummary } from '../../api.ts';

const [greets] = homeSet.eval_cases;
const files = {
  'echo/agent.mjs': echoAgent,
  'echo/home.evalset.json': homeSet,
  'echo/evals/other.evalset.json': { eval_set_id: 'other_cases', eval_cases: [greets] },
  'echo/test_config.json': { criteria: { response_match_score: 0.9 } },
  'echo/evals/test_config.json': { criteria: { response_match_score: 0.9 } },
};

async function ran(studio: TestStudio, asked: object): Promise<string> {
  const { id } = (await studio.json('POST', '/api/runs', { app: 'echo', ...asked })).body as { id: string };
  await (await studio.ask(`/api/runs/${id}/events`)).text();
  return id;
}

it('last runs report the result of each eval set, even for a run of several sets', async () => {
  const studio = await studioOf(files, { builtIn: { plugins: [responseMatch] } });
  const last = async () => (await studio.json('GET', '/api/last-runs')).body as LastRun[];
  expect(await last()).toEqual([]);
  const all = await ran(studio, {});
  const both = await last();
  expect(both).toHaveLength(2);
  expect(both).toMatchObject([
    { app: 'echo', evalSetId: expect.any(String), run: all },
    { app: 'echo', run: all },
  ]);
  // One set has one passed case; the other has one passed and one failed.
  const of = (list: readonly LastRun[], id: string) => list.find(({ evalSetId }) => evalSetId === id);
  expect(of(both, 'home')).toMatchObject({ verdict: 'failed', total: 2, verdicts: { passed: 1, failed: 1 } });
  expect(of(both, 'other_cases')).toMatchObject({ verdict: 'passed', total: 1, verdicts: { passed: 1, failed: 0 } });
  // Set summaries contain the id that runs use.
  const sets = (await studio.json('GET', '/api/apps/echo/sets')).body as SetSummary[];
  expect(sets.map(({ id, evalSetId }) => [id, evalSetId])).toEqual([
    ['evals.other', 'other_cases'],
    ['home', 'home'],
  ]);
  const one = await ran(studio, { sets: ['home'] });
  const after = await last();
  expect(of(after, 'home')).toMatchObject({ run: one, verdict: 'failed', total: 2 });
  expect(of(after, 'other_cases')?.run).toBe(all);
  // A run of some cases is not the last one of its set.
  await ran(studio, { sets: ['home'], cases: ['greets'] });
  expect(of(await last(), 'home')?.run).toBe(one);
  // Unfinished and unreadable runs are ignored.
  const runs = join(studio.folder, '.agent-criteria/runs');
  fs.rmSync(join(runs, one, 'scorings/1/summary.json'));
  fs.truncateSync(join(runs, one, 'scorings/1/scores.jsonl'), 0);
  expect(of(await last(), 'home')?.run).toBe(all);
});
