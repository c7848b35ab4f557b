import type { ComparedRuns } from '@agent-criteria/viewer';
import { expect, it } from 'vitest';
import { studioOf } from '../../__fixtures__/running-studio.ts';

const turn = (text: string) => ({
  user_content: { role: 'user', parts: [{ text }] },
  final_response: { role: 'model', parts: [{ text }] },
});
const cases = Array.from({ length: 20 }, (_, index) => ({
  eval_id: `c${index}`,
  conversation: [turn(`case ${index}`)],
}));
/** An agent that answers the first `right` cases as expected. */
const agent = (right: number) =>
  `export const rootAgent = (text) => (Number(text.split(' ')[1]) < ${right} ? text : 'No idea');`;
const files = {
  'good/agent.mjs': agent(20),
  'good/home.evalset.json': { eval_set_id: 'home', eval_cases: cases },
  'good/test_config.json': { criteria: { response_match_score: 1 } },
  'bad/agent.mjs': agent(8),
  'bad/home.evalset.json': { eval_set_id: 'home', eval_cases: cases },
  'bad/test_config.json': { criteria: { response_match_score: 1 } },
};

it("the comparison of two runs matches the command's", async () => {
  const studio = await studioOf(files);
  const run = async (app: string) => {
    const { id } = (await studio.json('POST', '/api/runs', { app })).body as { id: string };
    await (await studio.ask(`/api/runs/${id}/events`)).text();
    return id;
  };
  const [good, bad] = [await run('good'), await run('bad')];
  const compare = (query: string) => studio.json('GET', `/api/comparison?${query}`);

  const { status, body } = await compare(`base=${good}&candidate=${bad}`);
  expect(status).toBe(200);
  const [compared, ...others] = body as ComparedRuns[];
  const comparison = compared?.comparison;
  expect(others).toEqual([]);
  expect(comparison).toMatchObject({
    outcome: 'regression',
    statement: expect.stringMatching(
      /^The pass rate fell by 60 points .*, 20 paired cases, p < 0\.001: a regression\.$/,
    ),
    cases: { paired: 20 },
    criteria: [{ name: 'response_match_score', verdict: 'regression' }],
  });
  expect(comparison?.flipped).toHaveLength(12);
  expect(comparison?.flipped[0]).toMatchObject({
    caseId: 'c8',
    base: { verdict: 'passed', answer: 'case 8' },
    candidate: { verdict: 'failed', answer: 'No idea' },
  });
  // All cases are listed, those with a changed verdict first.
  expect(compared?.cases.map(({ change }) => change)).toEqual([...Array(12).fill('lost'), ...Array(8).fill('same')]);
  expect((await compare(`base=${bad}&candidate=${good}`)).body).toMatchObject([
    { comparison: { outcome: 'improvement' } },
  ]);
  expect((await compare(`base=${good}&candidate=${bad}&min_effect=0.7`)).body).toMatchObject([
    { comparison: { minEffect: 0.7, outcome: 'no-change' } },
  ]);

  expect((await compare(`base=${good}&candidate=${bad}&min_effect=7`)).status).toBe(422);
  expect((await compare(`base=${good}`)).status).toBe(404);
  expect((await compare(`base=${good}&candidate=..%2F..`)).status).toBe(404);
});
