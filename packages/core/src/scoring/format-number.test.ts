import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import type { Range } from '../contracts/criterion.ts';
import { formatScore } from './format-number.ts';
import { meetsThreshold, tolerance } from './verdict.ts';

const unit = { min: 0, max: 1, better: 'higher' } as const;

function shownIn(range: Range, value: number, threshold: number): string {
  return formatScore(value, threshold, meetsThreshold(value, threshold, range, null) ? range : null);
}

it('shows a score that passes only thanks to the tolerance as the threshold', () => {
  expect(shownIn(unit, 0.1 + 0.7, 0.8)).toBe('0.8');
  expect(shownIn(unit, 0.8 - 7e-10, 0.8)).toBe('0.8');
  expect(shownIn(unit, 0.8 - 2e-9, 0.8)).toBe('0.799999998');
  expect(formatScore(0.1 + 0.7, 0.8)).toBe('0.7999999999999999');
  expect(shownIn(unit, 0.1 + 0.7, 0.6)).toBe('0.8');
  expect(shownIn(unit, 0.79996, 0.8)).toBe('0.79996');
  expect(shownIn(unit, 0.80004, 0.8)).toBe('0.8');
  expect(shownIn({ ...unit, better: 'lower' }, 0.80004, 0.8)).toBe('0.80004');
  expect(formatScore(0.2 + 1e-10, 0.2, { ...unit, better: 'lower' })).toBe('0.2');
  expect(formatScore(0.2 + 1e-10, 0.2)).toBe('0.2000000001');
  expect(shownIn(unit, 0.95, 0.8)).toBe('0.95');
});

it('does not round a small score, on either side of a small threshold', () => {
  const tiny = { min: 0, max: 1e-6, better: 'lower' } as const;
  expect(shownIn(tiny, 9e-10, 1e-10)).toBe('9e-10');
  expect(shownIn(tiny, 5e-11, 1e-10)).toBe('5e-11');
  expect(shownIn({ ...unit, min: -1 }, -1e-17, 0)).toBe('0');
});

it('shows a score far from its threshold unchanged, even if the verdict passed', () => {
  expect(formatScore(0.25, 0.5, unit)).toBe('0.25');
});

it('rounds if there is no threshold, and shows only 0 as 0', () => {
  expect([1, 2 / 3, -0.12345, -0.0001, 0, 1234.5678, 0.00012345, 1e-20].map((value) => formatScore(value))).toEqual([
    ...['1', '0.667', '-0.123', '-0.0001', '0', '1234.568', '0.000123', '1e-20'],
  ]);
});

it('never formats two scores alike if only one of them reaches the threshold', () => {
  const near = fc.tuple(fc.constantFrom(0.2, 0.5, 2 / 3, 0.8, 1, 3), fc.double({ min: -1e-3, max: 1e-3, noNaN: true }));
  fc.assert(
    fc.property(
      fc.array(near, { minLength: 2, maxLength: 40 }),
      fc.constantFrom('higher', 'lower'),
      (pairs, better) => {
        const range = { min: 0, max: 3, better } as const;
        const sides = new Map<string, boolean>();
        for (const [threshold, by] of pairs) {
          const reached = meetsThreshold(threshold + by, threshold, range, null);
          const shown = `${threshold} ${shownIn(range, threshold + by, threshold)}`;
          expect(sides.get(shown) ?? reached).toBe(reached);
          sides.set(shown, reached);
        }
      },
    ),
    { numRuns: runs(2000) },
  );
});

it('agrees with the verdict, and never shows a failing score as the threshold', () => {
  const range = fc
    .tuple(fc.constantFrom(-5, -1, 0, 1e-7), fc.constantFrom(5, 1, 1e-6, 1e9, null), fc.constantFrom('higher', 'lower'))
    .map(([min, max, better]): Range => ({ min, max, better }));
  const threshold = fc.oneof(
    fc.double({ min: 0, max: 5, noNaN: true }),
    fc.constantFrom(0, 1e-10, 5e-7, 0.2, 0.7, 0.8, 1, 3),
  );
  const off = fc.oneof(
    fc.constantFrom(0, 1e-16, 5e-10, 9.9e-10, 1e-9, 1.1e-9, 1e-8, 5e-4).chain((by) => fc.constantFrom(by, -by)),
    fc.double({ min: -5, max: 5, noNaN: true }),
  );
  const share = fc.constantFrom(null, null, 0.1, 0.99, 1.01, 3, -0.1, -0.99, -1.01, -3);
  fc.assert(
    fc.property(range, threshold, off, share, fc.constantFrom(null, 'adk'), (range, at, by, share, compat) => {
      const value = at + (share === null ? by : share * tolerance(at, range));
      const reached = meetsThreshold(value, at, range, compat);
      const shown = formatScore(value, at, reached ? range : null);
      expect(meetsThreshold(Number(shown), at, range, 'adk')).toBe(reached);
      if (!reached) expect(shown).not.toBe(String(at));
      expect(Math.abs(Number(shown) - value)).toBeLessThan(0.001 + 1e-9 * Math.abs(at) + 1e-15 * 1e9);
    }),
    { numRuns: runs(4000) },
  );
});
