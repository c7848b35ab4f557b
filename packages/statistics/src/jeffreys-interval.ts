import { betaQuantileOf } from './beta-quantile.ts';
import { checkPart, checkShare } from './check.ts';
import type { Interval } from './interval.ts';
import { type Unknown, unknown } from './unknown.ts';

/**
 * Computes Jeffreys' interval for a pass rate: `k` of `n` cases passed, with one run per case. Shares from 0 to 1; the
 * lower end is 0 if none passed, the upper end 1 if all did. `level`: default 0.95. Unknown without cases.
 *
 * Quantiles of Beta(k + 1/2, n - k + 1/2), with ends as in Brown, Cai and DasGupta, Statistical Science 2001, section
 * 4. Covers the nominal level on average over rates, and less than that for some rates.
 *
 * @throws RangeError if `k` or `n` is not a count, `k` is above `n`, or `level` does not lie between 0 and 1.
 */
export function jeffreysInterval(k: number, n: number, level = 0.95): Interval | Unknown {
  checkPart(k, n, 'k', 'n');
  checkShare(level, 'level');
  if (n === 0) return unknown('there are no cases');
  const tail = (1 - level) / 2;
  return {
    low: k === 0 ? 0 : betaQuantileOf(tail, 1 - tail, k + 0.5, n - k + 0.5),
    high: k === n ? 1 : betaQuantileOf(1 - tail, tail, k + 0.5, n - k + 0.5),
  };
}
