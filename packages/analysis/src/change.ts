import type { Range } from '@agent-criteria/core';
import { isUnknown } from '@agent-criteria/statistics';
import type { PairedDifference } from './paired-difference.ts';

/** A change in one number between two runs. */
export interface Change extends PairedDifference {
  readonly name: string;
  readonly range: Range;
  /** The smallest change that counts, in the units of the scores. */
  readonly minEffect: number;
  /** p after correction for multiple comparisons, which also sets the level of the interval, or `null` if unknown. */
  readonly adjustedP: number | null;
  /** Whether a regression could be significant with these cases. */
  readonly couldShow: boolean;
  readonly verdict: ChangeVerdict;
  /** A sentence without the final full stop. */
  readonly text: string;
}

/**
 * - `regression`, `improvement`: significant after correction, at least as large as the smallest change that counts,
 *   and would be both even if everything that could not be judged counted against it.
 * - `small`: significant, but smaller than the smallest change that counts.
 * - `ruled-out`: not significant, and the interval contains no change that counts.
 * - `open`: not significant, and a change that counts is not ruled out.
 * - `too-few`: a fall that counts, with too few cases for any fall to be significant.
 * - `cannot-tell`: the unjudged results could reverse it.
 * - `nothing-paired`: no case has a score in both runs.
 * - `selected`: the cases were selected by their verdicts in one of the runs, which biases the other.
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

/**
 * `nothing-compared`: no deciding number can be compared, or one of the runs selected its cases by the verdicts of the
 * other.
 */
export type ComparisonOutcome = 'regression' | 'improvement' | 'no-change' | 'cannot-tell' | 'nothing-compared';

/** Whether the interval rules out a change for the worse of `minEffect` or more. */
export function rulesOutRegression({
  interval,
  range,
  minEffect,
}: Pick<Change, 'interval' | 'range' | 'minEffect'>): boolean {
  if (isUnknown(interval)) return false;
  return range.better === 'higher' ? interval.low > -minEffect : interval.high < minEffect;
}

/** Whether nothing could be judged, as opposed to a criterion that applies to no case. */
export function isAllUnjudged({ verdict, unjudged }: Change): boolean {
  return verdict === 'nothing-paired' && unjudged > 0;
}

/** The default for the smallest change that counts, as a share of the scale: 5 points. */
export const MIN_EFFECT = 0.05;

/** The name under which the share of passing repeats is compared. */
export const PASS_RATE = 'pass rate';
