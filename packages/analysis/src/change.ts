import type { Range } from '@agent-criteria/core';
import type { PairedDifference } from './paired-difference.ts';

/** How one number changed, and what that says. */
export interface Change extends PairedDifference {
  /** Of the criterion; `pass rate` for that. */
  readonly name: string;
  readonly range: Range;
  /** The smallest change that counts, in the unit of the scores. */
  readonly minEffect: number;
  /** p corrected for how many numbers decide; `null` where it decides nothing or is unknown. */
  readonly adjustedP: number | null;
  readonly verdict: ChangeVerdict;
  /** In words, without its full stop. */
  readonly text: string;
}

/**
 * - `regression`, `improvement`: significant after correction, and at least as large as the smallest change that counts.
 * - `small`: significant, but smaller than that.
 * - `noise`: not significant, and a change that counts would most likely have shown.
 * - `too-few`: not significant, but a change that counts could have been missed.
 * - `cannot-tell`: what could not be judged could turn it round.
 * - `nothing-paired`: no case has a score in both.
 */
export type ChangeVerdict =
  | 'regression'
  | 'improvement'
  | 'small'
  | 'noise'
  | 'too-few'
  | 'cannot-tell'
  | 'nothing-paired';
