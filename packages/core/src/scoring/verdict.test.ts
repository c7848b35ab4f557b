import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import type { Range } from '../contracts/criterion.ts';
import type { Score } from '../contracts/score.ts';
import { type Bounds, caseBounds } from './bounds.ts';
import { exactMean, sumMean } from './mean.ts';
import {
  type CriterionVerdict,
  caseVerdict,
  criterionVerdict,
  exitCode,
  meetsThreshold,
  tolerance,
} from './verdict.ts';

const higher = { min: 0, max: 1, better: 'higher' } as const;
const unjudged: Score = { value: null, missing: 'could-not-judge', reason: 'down' };
const nothing: Score = { value: null, missing: 'not-applicable', reason: 'nothing expected' };
const count = { min: 0, max: null, better: 'lower' } as const;
const values = (...numbers: number[]): Score[] => numbers.map((value) => ({ value }));

function verdict(
  scores: readonly Score[],
  threshold: number,
  more: { minCoverage?: number; skip?: boolean; compat?: 'adk' } = {},
): CriterionVerdict {
  const rule = {
    decides: true,
    threshold,
    minCoverage: more.minCoverage ?? 1,
    whenNotApplicable: more.skip ? ('skip' as const) : ('not-evaluated' as const),
    criterion: { range: higher },
  };
  const compat = more.compat ?? null;
  return criterionVerdict(rule, caseBounds({ range: higher }, scores, compat), scores.length, compat);
}

describe('the verdict of a criterion', () => {
  it('is passed at the threshold and above', () => {
    expect(verdict(values(0.5), 0.5)).toBe('passed');
    expect(verdict(values(0.4999), 0.5)).toBe('failed');
  });

  it('is passed for scores of 0.7, 0.7 and 0.7 at a threshold of 0.7, unlike in ADK', () => {
    expect(verdict(values(0.7, 0.7, 0.7), 0.7)).toBe('passed');
    expect(verdict(values(0.7, 0.7, 0.7), 0.7, { compat: 'adk' })).toBe('failed');
  });

  it('is not-evaluated while a missing score could change it', () => {
    expect(verdict([...values(1), unjudged], 0.8)).toBe('not-evaluated');
    expect(verdict([...values(1), unjudged], 0.5)).toBe('not-evaluated'); // it would pass, but not everything was scored
    expect(verdict([...values(1), unjudged], 0.5, { minCoverage: 0.5 })).toBe('passed');
    expect(verdict([...values(1), unjudged], 0.6, { minCoverage: 0.5 })).toBe('not-evaluated');
    expect(verdict([unjudged], 0, { minCoverage: 0.01 })).toBe('not-evaluated'); // nothing has a number
  });

  it('is failed if no value of the missing scores could save it', () => {
    expect(verdict([...values(0), unjudged], 0.8)).toBe('failed');
    expect(verdict([...values(0.2, 0.2), unjudged], 0.5)).toBe('failed');
  });

  it('ignores scores that are not applicable, and is not-evaluated if there are no others', () => {
    expect(verdict([...values(1), nothing], 1)).toBe('passed');
    expect(verdict([nothing, nothing], 0)).toBe('not-evaluated');
    expect(verdict([nothing, nothing], 0, { skip: true })).toBe('skipped');
    expect(verdict([nothing, unjudged], 0, { skip: true })).toBe('not-evaluated');
    expect(verdict([], 0, { skip: true })).toBe('not-evaluated');
  });

  it('is never passed if pooled turns lost their parts', () => {
    const rule = {
      decides: true,
      threshold: 0,
      minCoverage: 0.01,
      whenNotApplicable: 'not-evaluated',
      criterion: { range: higher },
    } as const;
    const turn: Score = { parts: [{ id: 'a', kind: 'rubric', value: 1 }] };
    const bounds = caseBounds({ range: higher, aggregate: 'parts' }, [turn, turn, unjudged], null);
    expect(bounds?.shown).toBe(1);
    expect(criterionVerdict(rule, bounds, 3, null)).toBe('not-evaluated');
  });

  describe('for pooled turns that lost their parts', () => {
    const turn = (...parts: readonly (number | null)[]): Score => ({
      parts: parts.map((value, index) => ({
        ...(value === null ? unjudged : { value }),
        id: String(index),
        kind: 'rubric' as const,
      })),
    });
    const boundsOf = (scores: readonly Score[], range: Range) =>
      caseBounds({ range, aggregate: 'parts' }, scores, null);
    const judged = (bounds: Bounds | null, threshold: number, range: Range) =>
      criterionVerdict(
        { decides: true, threshold, minCoverage: 1e-9, whenNotApplicable: 'not-evaluated', criterion: { range } },
        bounds,
        1,
        null,
      );
    const pooled = (scores: readonly Score[], threshold: number, range: Range = higher) =>
      judged(boundsOf(scores, range), threshold, range);

    it('is failed if no number of best-scoring parts could save it', () => {
      expect(pooled([...values(0.5), unjudged, ...values(0)], 1)).toBe('failed');
      expect(pooled([turn(1, 0), unjudged], 1)).toBe('failed');
      expect(pooled([turn(0, 1), unjudged], 0, { ...higher, better: 'lower' })).toBe('failed');
      expect(pooled([turn(3), unjudged], 0, count)).toBe('failed');
    });

    it('is not-evaluated if enough best-scoring parts could save it', () => {
      expect(pooled([turn(1, 0), unjudged], 0.9)).toBe('not-evaluated');
      expect(pooled([turn(1, 1), unjudged], 1)).toBe('not-evaluated');
      expect(pooled([turn(1, null), unjudged], 1)).toBe('not-evaluated');
      expect(pooled([unjudged, nothing], 1)).toBe('not-evaluated');
      expect(pooled([turn(0), unjudged], 5, { min: 0, max: null, better: 'higher' })).toBe('not-evaluated');
    });

    it('agrees with brute force over the parts that each lost turn could have had', () => {
      const unit = [0, 0.5, 1, null];
      const lists = unit.flatMap((a, index) => [[a], ...unit.slice(index).map((b) => [a, b])]);
      const few = [1, 2, 7].flatMap((count) => [0, 0.5, 1].map((value) => turn(...Array(count).fill(value))));
      const many = { higher: turn(...Array(10_000).fill(1)), lower: turn(...Array(10_000).fill(0)) };
      for (const better of ['higher', 'lower'] as const)
        for (const known of lists)
          for (const lost of [1, 2]) {
            const range = { min: 0, max: 1, better };
            const best = better === 'higher' ? 1 : 0;
            const filled = turn(...known.map((value) => value ?? best));
            const fillings = [nothing, ...few, many[better]].map((score) =>
              boundsOf([filled, ...Array<Score>(lost).fill(score)], range),
            );
            const unknown = boundsOf([turn(...known), ...Array<Score>(lost).fill(unjudged)], range);
            const short = known.reduce<number>((sum, value) => sum + Math.abs((value ?? best) - best), 0);
            const edge = short / (known.length + lost * 10_000);
            for (const by of [0, edge * 0.99, edge * 1.01, 0.3, 1]) {
              const threshold = Math.abs(best - by);
              const canPass = fillings.some((bounds) => judged(bounds, threshold, range) === 'passed');
              expect([known, lost, better, by, judged(unknown, threshold, range)]).toEqual([
                ...[known, lost, better, by],
                canPass ? 'not-evaluated' : 'failed',
              ]);
            }
          }
    });
  });

  it('is based on coverage with exactly the weights of the mean', () => {
    const half: Score = {
      parts: [
        { id: 'a', kind: 'rubric', value: 1 },
        { ...unjudged, id: 'b', kind: 'rubric' },
      ],
    };
    expect(caseBounds({ range: higher }, [half, ...values(1)], null)).toMatchObject({
      shown: 1,
      worst: 0.75,
      best: 1,
      coverage: 0.75,
    });
  });

  it('treats an aggregate that leaves its range, throws or returns no number as could-not-judge', () => {
    for (const aggregate of [
      () => 2,
      () => Number.NaN,
      () => {
        throw new Error('no');
      },
    ]) {
      expect(caseBounds({ range: higher, aggregate }, values(1, 1), null)).toMatchObject({
        shown: null,
        worst: 0,
        best: 1,
      });
    }
  });
});

describe('a threshold', () => {
  const tiny = { min: 0, max: 1e-6, better: 'lower' } as const;

  it("is missed by a score that is far away on the threshold's own scale, however small that is", () => {
    expect(meetsThreshold(9e-10, 1e-10, tiny, null)).toBe(false);
    expect(meetsThreshold(9e-10, 1e-10, { ...higher, better: 'lower' }, null)).toBe(false);
    expect(meetsThreshold(9e-10, 1e-10, count, null)).toBe(false);
    expect(meetsThreshold(9e-10, 0, { ...higher, better: 'lower' }, null)).toBe(false);
    expect(meetsThreshold(-9e-10, 0, { ...higher, min: -1 }, null)).toBe(false);
    expect(meetsThreshold(1.4, 0.5, { min: 0, max: 1e9, better: 'lower' }, null)).toBe(false);
    expect(meetsThreshold(1e9 + 0.4, 1e9 + 0.5, { min: 1e9, max: 1e9 + 1, better: 'higher' }, null)).toBe(false);
    expect(meetsThreshold(1e-300, 0, count, null)).toBe(false);
  });

  it('is reached by a score that misses it only by rounding', () => {
    expect(meetsThreshold(2 / 3, 0.6666666666666667, higher, null)).toBe(true);
    expect(meetsThreshold(0.1 + 0.7, 0.8, higher, null)).toBe(true);
    expect(meetsThreshold(0.1e-6 + 0.2e-6, 0.3e-6, tiny, null)).toBe(true);
    expect(meetsThreshold(0.8 - 0.7 - 0.1, 0, { ...higher, min: -1 }, null)).toBe(true);
    expect(meetsThreshold(0.3 - 0.1 * 3, 0, { min: -1, max: 1, better: 'higher' }, null)).toBe(true);
    expect(meetsThreshold(0.1e20 + 0.7e20, 0.8e20, { min: 0, max: null, better: 'higher' }, null)).toBe(true);
    expect(meetsThreshold(-0.1 - 0.2, -0.3, { min: -1, max: 0, better: 'higher' }, null)).toBe(true);
  });

  // Thousandths, so that scaling loses no digits.
  const thousandths = (min: number, max: number) =>
    fc.integer({ min: min * 1000, max: max * 1000 }).map((n) => n / 1000);
  const number = thousandths(-1e6, 1e6);
  const range = fc
    .tuple(number, fc.option(thousandths(1, 1e6)), fc.constantFrom('higher', 'lower'))
    .map(([min, width, better]): Range => ({ min, max: width === null ? null : min + width, better }));
  const placed = fc
    .tuple(range, thousandths(0, 1))
    .map(([range, share]) => ({ range, threshold: range.min + share * ((range.max ?? range.min + 10) - range.min) }));

  it('is reached by the same scores when all numbers are scaled by a power of two', () => {
    fc.assert(
      fc.property(placed, thousandths(-3, 3), fc.integer({ min: -200, max: 200 }), (at, off, power) => {
        const { range, threshold } = at;
        const value = threshold + off * tolerance(threshold, range);
        const unit = 2 ** power;
        const scaled = { ...range, min: range.min * unit, max: range.max === null ? null : range.max * unit };
        expect(meetsThreshold(value * unit, threshold * unit, scaled, null)).toBe(
          meetsThreshold(value, threshold, range, null),
        );
      }),
      { numRuns: runs(2000) },
    );
  });

  it('tolerates a billionth of itself and of the range at most, but enough to absorb rounding in the mean of equal values', () => {
    fc.assert(
      fc.property(placed, fc.integer({ min: 1, max: 8 }), ({ range, threshold }, times) => {
        const slack = tolerance(threshold, range);
        const size = Math.max(Math.abs(threshold), Math.abs(range.min), Math.abs(range.max ?? 0));
        const width = range.max === null ? Number.POSITIVE_INFINITY : range.max - range.min;
        expect(slack).toBeLessThanOrEqual(Math.max(1e-9 * Math.min(Math.abs(threshold), width), 1e-15 * size));
        expect(meetsThreshold(sumMean(Array(times).fill(threshold)), threshold, range, null)).toBe(true);
        expect(meetsThreshold(exactMean(Array(times).fill(threshold)), threshold, range, 'adk')).toBe(true);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('is reached by every score that is better than a score that reaches it', () => {
    fc.assert(
      fc.property(placed, number, thousandths(0, 1e6), ({ range, threshold }, value, more) => {
        if (!meetsThreshold(value, threshold, range, null)) return;
        expect(meetsThreshold(range.better === 'higher' ? value + more : value - more, threshold, range, null)).toBe(
          true,
        );
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe('the verdict of a case', () => {
  const table: readonly [boolean, CriterionVerdict[], string][] = [
    [true, ['failed'], 'error'],
    [false, ['passed', 'failed', 'not-evaluated'], 'failed'],
    [false, ['passed', 'not-evaluated'], 'not-evaluated'],
    [false, ['passed', 'informational', 'skipped'], 'passed'],
    [false, ['informational', 'informational'], 'informational'],
    [false, ['informational', 'skipped'], 'not-evaluated'],
    [false, ['skipped', 'skipped'], 'not-evaluated'],
    [false, [], 'not-evaluated'],
  ];
  it.each(table)('with inference error: %s, and criteria %j, is %s', (errored, criteria, expected) => {
    expect(caseVerdict(errored, criteria)).toBe(expected);
  });

  it('determines the exit code of a run', () => {
    expect(exitCode(['passed', 'passed'])).toBe(0);
    expect(exitCode(['informational'])).toBe(0);
    expect(exitCode(['passed', 'error', 'failed'])).toBe(1);
    expect(exitCode(['passed', 'error'])).toBe(3);
    expect(exitCode(['passed', 'not-evaluated'])).toBe(3);
    expect(exitCode([])).toBe(3);
  });
});
