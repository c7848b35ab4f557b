/**
 * How a fall of the pass rate is spread over cases. `all`: each case fails a little more often. `some`: some cases always fail, the others
 * do not change.
 */
export type DropShape = 'all' | 'some';

/** A planned comparison, and the fall that it should find. */
export interface Drop {
  readonly shape: DropShape;
  /** The true fall of the pass rate, above 0. */
  readonly size: number;
  readonly cases: number;
  /** The number of repeats in both runs. */
  readonly repeats: number;
  /** The smallest change that counts. */
  readonly minEffect: number;
  /** The largest p that is significant. */
  readonly alpha: number;
}
