import type { Range } from '@agent-criteria/core';
import type { PairedDifference } from './paired-difference.ts';

/** How one number changed, and what that says. */
export interface Change extends PairedDifference {
  /** Of the criterion; `pass rate` for that. */
  readonly name: string;
  readonly range: Range;
  /** The smallest change that counts, in the unit of the scores. */
  readonly minEffect: number;
  /** p corrected for how many numbers are compared, at which the interval is given, too; `null` where it is unknown. */
  readonly adjustedP: number | null;
  /** Whether these cases could have shown a regression at all. */
  readonly couldShow: boolean;
  readonly verdict: ChangeVerdict;
  /** In words, without its full stop. */
  readonly text: string;
}

/**
 * - `regression`, `improvement`: significant after correction, at least as large as the smallest change that counts, and so even if what could
 *   not be judged spoke against it.
 * - `small`: significant, but smaller than that.
 * - `ruled-out`: not significant, and the interval holds no change that counts.
 * - `open`: not significant, and a change that counts is not ruled out.
 * - `too-few`: a fall that counts, in so few cases that no fall could have been significant.
 * - `cannot-tell`: what could not be judged could turn it round.
 * - `nothing-paired`: no case has a score in both.
 * - `selected`: the cases were chosen by how they came out in one of the runs, which moves the other by itself.
 */
export type ChangeVerdict =
  | 'regression'
  | 'improvement'
  | 'small'
  | 'ruled-out'
  | 'open'
  | 'too-few'
  | 'cannot-tell'
  | 'nothing-paired'
  | 'selected';
