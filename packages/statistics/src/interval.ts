/** Two ends; what they are ends of, the function that gives them says. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** An interval around a mean by Student's t. */
export interface MeanInterval extends Interval {
  readonly mean: number;
  /** The standard error of the mean. */
  readonly se: number;
  /** Degrees of freedom. */
  readonly df: number;
}

export function narrower(one: Interval, other: Interval): Interval {
  return other.high - other.low < one.high - one.low ? other : one;
}

/** From the lower of the lower ends to the higher of the higher ones. */
export function widest(one: Interval, other: Interval): Interval {
  return { low: Math.min(one.low, other.low), high: Math.max(one.high, other.high) };
}
