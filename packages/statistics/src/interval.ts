/** The two ends of an interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** An interval around a mean, based on Student's t. */
export interface MeanInterval extends Interval {
  readonly mean: number;
  /** The standard error of the mean. */
  readonly se: number;
  /** The degrees of freedom. */
  readonly df: number;
}

export function narrower(one: Interval, other: Interval): Interval {
  return other.high - other.low < one.high - one.low ? other : one;
}

/** Returns the smallest interval that contains both. */
export function widest(one: Interval, other: Interval): Interval {
  return { low: Math.min(one.low, other.low), high: Math.max(one.high, other.high) };
}
