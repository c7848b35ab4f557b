import { expect, it } from 'vitest';
import type { RunSummary, RunThreshold } from '../../api.ts';
import { commonCriteria, isSameCriteria } from './common-criteria.ts';
import { lossesOf } from './losses.ts';

const rule = (name: string, threshold: number | null): RunThreshold => ({ name, threshold, better: 'higher' });
const run = (facts: Partial<RunSummary>) =>
  ({
    id: 'a',
    app: 'lamp',
    criteria: [],
    result: 'passed',
    summary: null,
    units: { total: 3, finished: 2 },
    ...facts,
  }) as RunSummary;
const [match, trajectory] = [rule('response_match_score', 0.8), rule('tool_trajectory_avg_score', 1)];

it('commonCriteria() returns the criteria of most runs, whatever their order', () => {
  const runs = [[match], [match, trajectory], [trajectory, match], []].map((criteria) => run({ criteria }));
  expect(commonCriteria(runs)).toEqual([match, trajectory]);
  expect(isSameCriteria([trajectory, match], commonCriteria(runs))).toBe(true);
  expect(isSameCriteria([rule('response_match_score', 0.5), trajectory], commonCriteria(runs))).toBe(false);
});

it('commonCriteria() returns none if no two runs share them', () => {
  expect(commonCriteria([run({ criteria: [match] }), run({ criteria: [trajectory] })])).toEqual([]);
});

it('lossesOf() counts the cases of runs that can be deleted, and leaves out those under way', () => {
  const summary = { total: 12 } as RunSummary['summary'];
  const runs = [
    run({ id: 'a', summary, labelled: true }),
    run({ id: 'b' }),
    run({ id: 'c', result: 'under-way', summary, labelled: true }),
  ];
  const losses = lossesOf(runs, (app) => (app === 'lamp' ? 'b' : null));
  expect(losses).toMatchObject({
    cases: 14,
    labelled: [{ id: 'a' }],
    staying: [{ id: 'c' }],
    baselines: [{ id: 'b' }],
  });
});
