import { betaQuantileOf } from './beta-quantile.ts';
import { checkPart, checkShare } from './check.ts';
import type { Interval } from './interval.ts';
import { type Unknown, unknown } from './unknown.ts';

/**
 * Computes the exact interval of a pass rate: `k` of `n` cases passed, with one run per case. Shares from 0 to 1; 0 and
 * 1 exactly if none or all passed. `level`: default 0.95. Unknown without cases.
 *
 * Clopper and Pearson 1934, by quantiles of the beta distribution. It covers at least what it claims (95.6 to
 * 99.7% at a nominal 95%, measured with 10 to 100 cases), at the price of being 5 to 19% wider than Wilson's. For gates
 * that must not be optimistic.
 *
 * @throws RangeError if `k` or `n` is not a count, `k` is above `n`, or `level` does not lie between 0 and 1.
 */
export function clopperPearsonInterval(k: number, n: number, level = 0.95): Interval | Unknown {
  checkPart(k, n, 'k', 'n');
  checkShare(level, 'level');
  if (n === 0) return unknown('there are no cases');
  const tail = (1 - level) / 2;
  return {
    low: k === 0 ? 0 : betaQuantileOf(tail, 1 - tail, k, n - k + 1),
    high: k === n ? 1 : betaQuantileOf(1 - tail, tail, k + 1, n - k),
  };
}
