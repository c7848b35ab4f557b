import { betaInc, caseRateInterval, type Interval, isUnknown, type Unknown } from '@agent-criteria/statistics';

/** A quantile of values with its interval. */
export interface QuantileInterval extends Interval {
  readonly value: number;
}

export interface QuantileOptions {
  /** The group of each value. Default: each value is its own group. */
  readonly groups?: readonly (string | number)[] | null | undefined;
  /** Default 0.95. */
  readonly level?: number | undefined;
}

/**
 * Computes the `q`-quantile of values (for 0.95, 95% of them are at most that), with a distribution-free interval from
 * order statistics (David and Nagaraja, Order Statistics, 7.1). With groups, its ends are the values at which the
 * interval of the share below, from `caseRateInterval` over groups, reaches `q` (Woodruff 1952). Unknown if there are
 * too few values or groups for either end.
 */
export function quantileInterval(
  values: readonly number[],
  q: number,
  { groups = null, level = 0.95 }: QuantileOptions = {},
): QuantileInterval | Unknown {
  const n = values.length;
  if (n === 0) return { unknown: 'there are no values' };
  const order = values.map((_, index) => index).sort((a, b) => (values[a] as number) - (values[b] as number));
  const sorted = order.map((index) => values[index] as number);
  const value = sorted[Math.ceil(n * q) - 1] as number;
  const tail = (1 - level) / 2;
  if (groups === null || new Set(groups).size === n) {
    const { lower, upper } = byOrder(n, q, tail);
    if (lower === 0 || upper === n) {
      const needed = Math.max(Math.log(tail) / Math.log(q), Math.log(tail) / Math.log1p(-q));
      return { unknown: `at least ${Math.ceil(needed)} cases are needed` };
    }
    return { value, low: sorted[lower - 1] as number, high: sorted[upper] as number };
  }
  const clusters = order.map((index) => groups[index] as string | number);
  /** Computes a confidence interval for the share of values below an index. */
  const shareUpTo = (count: number) =>
    caseRateInterval({ rates: sorted.map((_, index) => (index < count ? 1 : 0)), runs: n, clusters, level });
  const lower = lastThat(n, (count) => {
    const share = shareUpTo(count);
    return !isUnknown(share) && share.high <= q;
  });
  const upper = lastThat(n, (count) => {
    const share = shareUpTo(count);
    return !isUnknown(share) && share.low < q;
  });
  if (lower < 0 || upper === n) {
    return { unknown: `${new Set(groups).size} groups are too few for its interval` };
  }
  return { value, low: sorted[lower] as number, high: sorted[upper] as number };
}

/** Returns the ranks of the interval's ends among sorted independent values. */
function byOrder(n: number, q: number, tail: number): { readonly lower: number; readonly upper: number } {
  // P(at most k of n values lie below the quantile).
  const atMost = (k: number) => (k >= n ? 1 : k < 0 ? 0 : betaInc(1 - q, n - k, k + 1));
  let upper = Math.ceil(n * q);
  while (upper < n && atMost(upper) < 1 - tail) upper += 1;
  let lower = Math.floor(n * q);
  while (lower > 0 && atMost(lower - 1) > tail) lower -= 1;
  return { lower, upper };
}

/** Returns the largest count up to `most` that meets a monotonic condition, or -1 if none does. */
function lastThat(most: number, holds: (count: number) => boolean): number {
  if (!holds(0)) return -1;
  let [low, high] = [0, most + 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
