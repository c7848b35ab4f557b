import { betaInc, type Interval, type Unknown } from '@agent-criteria/statistics';

/** A quantile of values, and where that of all such values lies. */
export interface QuantileInterval extends Interval {
  readonly value: number;
}

/**
 * The `q`-quantile of values (0.95: 95% of them are at most that), with an interval that holds for any distribution: its ends are
 * values between which so many of `n` draws lie as a binomial distribution says (David and Nagaraja, Order Statistics, 7.1). Where
 * there are too few values for an upper end, it is unknown.
 */
export function quantileInterval(values: readonly number[], q: number, level = 0.95): QuantileInterval | Unknown {
  const sorted = [...values].sort((a, b) => a - b);
  const n = sorted.length;
  const tail = (1 - level) / 2;
  if (n === 0) return { unknown: 'there are no values' };
  // P(at most k of n values lie below the quantile).
  const atMost = (k: number) => (k >= n ? 1 : k < 0 ? 0 : betaInc(1 - q, n - k, k + 1));
  let upper = Math.ceil(n * q);
  while (upper < n && atMost(upper) < 1 - tail) upper += 1;
  if (atMost(n - 1) < 1 - tail) {
    return { unknown: `at least ${Math.ceil(Math.log(tail) / Math.log(q))} cases are needed` };
  }
  let lower = Math.floor(n * q);
  while (lower > 0 && atMost(lower - 1) > tail) lower -= 1;
  const at = (index: number) => sorted[Math.min(Math.max(index, 0), n - 1)] as number;
  return { value: at(Math.ceil(n * q) - 1), low: at(lower - 1), high: at(upper) };
}
