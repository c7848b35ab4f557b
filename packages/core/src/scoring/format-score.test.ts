import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { formatScore } from './format-score.ts';
import { reaches } from './verdict.ts';

const higher = (value: number, threshold: number) =>
  formatScore(value, threshold, reaches(value, threshold, 'higher', null));

it('shows what the tolerance lets pass as the threshold that it reaches', () => {
  expect(higher(0.1 + 0.7, 0.8)).toBe('0.8');
  expect(higher(0.8 - 9e-10, 0.8)).toBe('0.8');
  expect(higher(0.8 - 2e-9, 0.8)).toBe('0.799');
  expect(formatScore(0.1 + 0.7, 0.8, false)).toBe('0.799');
  expect(formatScore(0.2 + 9e-10, 0.2, true)).toBe('0.2');
  expect(formatScore(0.2 + 9e-10, 0.2, false)).toBe('0.2000000009');
  expect(higher(0.95, 0.8)).toBe('0.95');
});

it('cuts where nothing is to be reached', () => {
  expect([1, 2 / 3, -0.12345, -0.0001, 0, 1234.5678].map((value) => formatScore(value))).toEqual([
    ...['1', '0.666', '-0.123', '-0.0001', '0', '1234.567'],
  ]);
});

it('compares with the threshold as the verdict says, and never shows a failing score as the threshold', () => {
  const threshold = fc.oneof(fc.double({ min: 0, max: 5, noNaN: true }), fc.constantFrom(0, 0.2, 0.7, 0.8, 1, 3));
  const off = fc.oneof(
    fc.constantFrom(0, 1e-16, 5e-10, 9.9e-10, 1e-9, 1.1e-9, 1e-8, 5e-4).chain((by) => fc.constantFrom(by, -by)),
    fc.double({ min: -5, max: 5, noNaN: true }),
  );
  fc.assert(
    fc.property(
      threshold,
      off,
      fc.constantFrom('higher', 'lower'),
      fc.constantFrom(null, 'adk'),
      (at, by, better, compat) => {
        const value = at + by;
        const reached = reaches(value, at, better, compat);
        const shown = formatScore(value, at, reached);
        expect(reaches(Number(shown), at, better, 'adk')).toBe(reached);
        if (!reached) expect(shown).not.toBe(String(at));
        expect(Math.abs(Number(shown) - value)).toBeLessThan(0.001 + 1e-9);
      },
    ),
    { numRuns: runs(2000) },
  );
});
