import type { RunCriterion } from '@agent-criteria/results';
import { expect, it } from 'vitest';
import { rerunOf } from './rerun.ts';

const criterion = (name: string, threshold: number | null, written: RunCriterion['written'], byDefault?: boolean) =>
  ({ name, threshold, written, byDefault }) as RunCriterion;
const place = { runSet: 'home', app: 'desk', set: 'home' };
const beside = { configFile: '/apps/desk/test_config.json', criteria: [criterion('match', 0.8, 0.8)] };

it("rerunOf() requests one case with its set's config and the same number of repeats", () => {
  expect(rerunOf({ repeats: 1 }, beside, place, 'a')).toEqual({ app: 'desk', sets: ['home'], cases: ['a'] });
  expect(rerunOf({ repeats: 3 }, beside, place, 'a')).toMatchObject({ repeats: 3 });
});

it('rerunOf() includes criteria chosen in the studio, with their options', () => {
  const criteria = [
    criterion('match', 0.8, 0.8),
    criterion('trajectory', 1, { threshold: 1, match_type: 'IN_ORDER' }),
    criterion('time', null, null),
    criterion('usage', null, null, true),
  ];
  const configFile = '/apps/.agent-criteria/studio/0123456789abcdef.config.json';
  expect(rerunOf({ repeats: 1 }, { configFile, criteria }, place, 'a')).toMatchObject({
    metrics: [
      { metricName: 'match', threshold: 0.8 },
      { metricName: 'trajectory', threshold: 1, criterion: { match_type: 'IN_ORDER' } },
      { metricName: 'time', threshold: null },
    ],
  });
});

it('rerunOf() returns null for a run of several agents', () => {
  expect(rerunOf({ repeats: 1, variants: [] }, beside, place, 'a')).toBeNull();
});
