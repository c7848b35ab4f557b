import { expect, it } from 'vitest';
import type { Criterion, Range } from '../contracts/criterion.ts';
import type { Score } from '../contracts/score.ts';
import { caseBounds } from './bounds.ts';
import { type CriterionVerdict, criterionVerdict } from './verdict.ts';

// Covers all cases of up to three turns at corners that a random search seldom reaches: thresholds and values at the
// ends of the range, and cases in which no score is applicable.

const UNKNOWN: Score = { value: null, missing: 'could-not-judge' };
const NOTHING: Score = { value: null, missing: 'not-applicable' };
const RANGES: readonly Range[] = [
  { min: 0, max: 1, better: 'higher' },
  { min: 0, max: 1, better: 'lower' },
  { min: -1, max: 1, better: 'higher' },
  { min: 1, max: 5, better: 'higher' },
  { min: 0, max: null, better: 'lower' },
];
const RULES: readonly Pick<Criterion, 'aggregate' | 'adk'>[] = [
  {},
  { aggregate: 'parts' },
  { aggregate: (values) => Math.min(...values) },
  { aggregate: (values) => Math.max(...values) },
  { adk: { mean: 'sum', missing: 'zero' } },
  { adk: { mean: 'exact', missing: 'dropped', aggregate: 'parts' } },
];

function listsOf(range: Range): readonly (readonly Score[])[] {
  const top = range.max ?? range.min + 4;
  const single: readonly Score[] = [
    ...[range.min, (range.min + top) / 2, top].map((value) => ({ value })),
    UNKNOWN,
    NOTHING,
  ];
  let lists: readonly (readonly Score[])[] = [[]];
  for (let turn = 0; turn < 3; turn++)
    lists = [...new Set([...lists, ...lists.flatMap((list) => single.map((one) => [...list, one]))])];
  return lists;
}

it.each(RANGES)('a missing score never helps in a range from $min to $max where $better is better', (range) => {
  const lists = listsOf(range);
  const top = range.max ?? range.min + 4;
  const wrong: unknown[] = [];
  let passed = 0;
  for (const [index, rule] of RULES.entries())
    for (const compat of ['adk', null] as const)
      for (const threshold of [range.min, (range.min + top) / 2, top])
        for (const minCoverage of [1, 0.5, 0.3]) {
          const criterion = { range, ...rule };
          const verdict = (scores: readonly Score[]): CriterionVerdict =>
            criterionVerdict(
              { decides: true, threshold, minCoverage, whenNotApplicable: 'not-evaluated', criterion },
              caseBounds(criterion, scores, compat),
              scores.length,
              compat,
            );
          const situation = { rule: index, compat, threshold, minCoverage };
          for (const scores of lists) {
            const before = verdict(scores);
            if (before === 'passed') {
              passed += 1;
              if (!scores.some((score) => 'value' in score && score.value !== null))
                wrong.push({ ...situation, scores });
              continue;
            }
            for (const turn of scores.keys()) {
              const spoilt = scores.with(turn, UNKNOWN);
              if (verdict(spoilt) === 'passed') wrong.push({ ...situation, scores, before, spoilt });
            }
          }
        }
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(passed).toBeGreaterThan(1_000);
});
