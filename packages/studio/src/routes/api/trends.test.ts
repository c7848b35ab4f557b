import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { studioOf } from '../../__fixtures__/running-studio.ts';
import type { SetTrends } from '../../api.ts';

const turn = (text: string) => ({
  user_content: { role: 'user', parts: [{ text }] },
  final_response: { role: 'model', parts: [{ text }] },
});
const set = (id: string) => ({
  eval_set_id: id,
  eval_cases: Array.from({ length: 10 }, (_, index) => ({
    eval_id: `c${index}`,
    conversation: [turn(`case ${index}`)],
  })),
});
const files = {
  'echo/agent.mjs': "export const rootAgent = (text) => (Number(text.split(' ')[1]) < 7 ? text : 'No idea');",
  'echo/home.evalset.json': set('home'),
  'echo/garden.evalset.json': set('garden'),
  'echo/test_config.json': { criteria: { response_match_score: 1 } },
};

it("trends list a set's runs with intervals and mark where runs are not comparable", async () => {
  const studio = await studioOf(files);
  const run = async (more: object) => {
    const { id } = (await studio.json('POST', '/api/runs', { app: 'echo', ...more })).body as { id: string };
    await (await studio.ask(`/api/runs/${id}/events`)).text();
    return id;
  };
  const trends = async (name: string) =>
    (await studio.json('GET', `/api/apps/echo/sets/${name}/trends`)).body as SetTrends;
  expect(await trends('home')).toEqual({ trends: [], runs: 0, left: [], older: false });

  const first = await run({ sets: ['home'] });
  // A run of several sets counts towards each of them.
  const second = await run({});
  await run({ sets: ['home'], cases: ['c1'] });
  writeFileSync(join(studio.folder, 'echo/test_config.json'), '{ "criteria": { "response_match_score": 0.5 } }');
  const third = await run({ sets: ['home'] });

  const { trends: found, ...rest } = await trends('home');
  expect(rest).toEqual({ runs: 3, left: [{ why: 'of chosen cases only', runs: 1 }], older: false });
  expect(found[0]).toMatchObject({
    name: 'pass rate',
    points: [
      { run: first, value: 0.7, cases: 10, breaks: [] },
      { run: second, value: 0.7, cases: 10, breaks: [], notes: [] },
      { run: third, value: 0.7, breaks: [expect.stringContaining('thresholds')] },
    ],
  });
  expect(found[1]).toMatchObject({ name: 'response_match_score', decides: true });
  expect(found[1]?.points[2]?.breaks).toEqual(['its threshold was 1 and is 0.5']);
  const [point] = found[0]?.points ?? [];
  expect(point?.interval).toMatchObject({ low: expect.closeTo(0.397, 1), high: expect.closeTo(0.892, 1) });
  expect((await trends('garden')).trends[0]?.points.map((one) => one.run)).toEqual([second]);
  expect((await studio.json('GET', '/api/apps/echo/sets/none/trends')).status).toBe(404);
});
