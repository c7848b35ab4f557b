/** How a fall of the pass rate spreads over cases. `all`: each case fails a little more often. `some`: some cases always fail, the others do not change. */
export type DropShape = 'all' | 'some';

/** A comparison to come, and the fall that it is to find. */
export interface Drop {
  readonly shape: DropShape;
  /** How far the pass rate truly falls, above 0. */
  readonly size: number;
  readonly cases: number;
  /** How often each case runs, in both runs. */
  readonly repeats: number;
  /** The smallest change that counts. */
  readonly minEffect: number;
  /** p has to be at most this. */
  readonly alpha: number;
}
