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
