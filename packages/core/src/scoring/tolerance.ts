import type { Range } from '../contracts/criterion.ts';

/** What a threshold overlooks of itself, or of its range where that is narrower. */
const SHARE = 1e-9;
/** What doubles lose in a few steps at the size of the numbers they work with: some units in the last place. */
const ROUNDING = 1e-15;

/**
 * By how much a score may miss a threshold and still reach it: 1e-9 of the threshold or of the width of the range,
 * whichever is smaller. Where that is finer than doubles are at the ends of the range, as beside a threshold of 0, it is
 * what doubles lose there: a score computed as 1 - 0.1 * 10 is meant to be 0.
 */
export function tolerance(threshold: number, { min, max }: Range): number {
  const size = Math.max(Math.abs(threshold), Math.abs(min), Math.abs(max ?? min));
  const width = max === null ? Number.POSITIVE_INFINITY : max - min;
  return Math.max(SHARE * Math.min(Math.abs(threshold), width), ROUNDING * size);
}
