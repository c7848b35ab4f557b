/**
 * How a fall in the pass rate is spread over cases. `all`: each case fails a little more often. `some`: some cases
 * always fail, and the others do not change.
 */
export type DropShape = 'all' | 'some';

/** A planned comparison, and the fall that it should detect. */
export interface Drop {
  readonly shape: DropShape;
  /** The true fall of the pass rate, above 0. */
  readonly size: number;
  readonly cases: number;
  /** The number of repeats in each run. */
  readonly repeats: number;
  /** The smallest change that counts. */
  readonly minEffect: number;
  /** The largest p that counts as significant. */
  readonly alpha: number;
}
