import { checkPart, checkShare } from './check.ts';
import type { Interval } from './interval.ts';
import { normalQuantile } from './normal.ts';
import { type Unknown, unknown } from './unknown.ts';

/**
 * Computes a confidence interval for a pass rate: `k` of `n` cases passed, with one run per case. Shares from 0 to 1;
 * the lower end is exactly 0 if none passed, the upper end exactly 1 if all did. `level` is the share of such intervals
 * that contain the true rate; default 0.95. Unknown without cases.
 *
 * Wilson 1927, without continuity correction. Covers 93 to 98% at a nominal 95% for most rates and numbers of cases
 * (91.4% for 10 cases and 0.95); the usual interval of a mean covers 46% at 20 cases and a rate of 0.97. If an interval
 * must never be too narrow, use `clopperPearsonInterval`; with several runs per case, use `wilsonEffectiveInterval`.
 *
 * @throws RangeError if `k` or `n` is not a count, `k` is above `n`, or `level` does not lie between 0 and 1.
 */
export function wilsonInterval(k: number, n: number, level = 0.95): Interval | Unknown {
  checkPart(k, n, 'k', 'n');
  checkShare(level, 'level');
  if (n === 0) return unknown('there are no cases');
  return wilsonAround(k / n, n, -normalQuantile((1 - level) / 2));
}

/** Computes Wilson's interval around the rate `p` of `n` cases, which need not be an integer, with the quantile `q`. */
export function wilsonAround(p: number, n: number, q: number): Interval {
  const spread = (q * q) / n;
  const centre = p + spread / 2;
  const half = q * Math.sqrt((p * (1 - p)) / n + spread / n / 4);
  const high = p === 1 ? 1 : (centre + half) / (1 + spread);
  // The ends are the roots of a quadratic whose product is p^2 / (1 + q^2/n), which avoids cancellation if the lower is
  // small.
  const low = (p * p) / (1 + spread) / high;
  return { low, high };
}
