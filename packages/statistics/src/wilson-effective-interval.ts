import { checkBinary, checkShare } from './check.ts';
import type { Interval } from './interval.ts';
import { meanOf, varianceOf } from './moments.ts';
import { studentTQuantile } from './student-t.ts';
import { type Unknown, unknown } from './unknown.ts';
import { wilsonAround } from './wilson-interval.ts';

export interface EffectiveInterval extends Interval {
  /** The mean over cases of each case's pass rate. */
  readonly mean: number;
  /** The standard error of that mean, based on the spread between cases. */
  readonly seCases: number;
  /**
   * The number of independent runs with the same standard error: at least the number of cases, at most the number of
   * runs.
   */
  readonly effectiveN: number;
  /** The degrees of freedom: cases - 1. */
  readonly df: number;
}

/**
 * Computes a confidence interval for a pass rate with several runs per case. `cases` has each case's outcomes, 1 for
 * passed and 0 for failed. Shares from 0 to 1. `level`: default 0.95. Unknown with fewer than two cases.
 *
 * Wilson's interval with the effective number of runs p(1 - p) / se^2, limited to between the numbers of cases and
 * runs, and the quantile of Student's t. The case is the unit: pooling the runs of all cases covers 41 to 91% at a
 * nominal 95%, the t interval over cases 91 to 95%, and this one about 94 to 96% in ten settings of 10 to 100 cases and
 * 3 to 20 repeats.
 *
 * @throws RangeError if a case has no outcome, an outcome is neither 0 nor 1, or `level` does not lie between 0 and 1.
 */
export function wilsonEffectiveInterval(
  cases: readonly (readonly number[])[],
  level = 0.95,
): EffectiveInterval | Unknown {
  let runs = 0;
  for (const [index, outcomes] of cases.entries()) {
    if (outcomes.length === 0) throw new RangeError(`cases[${index}] is empty. Leave out cases without a run.`);
    for (const [run, outcome] of outcomes.entries()) checkBinary(outcome, `cases[${index}][${run}]`);
    runs += outcomes.length;
  }
  checkShare(level, 'level');
  const n = cases.length;
  if (n === 0) return unknown('there are no cases');
  if (n === 1) return unknown('one case says nothing about others: at least two are needed');

  const rates = cases.map((outcomes) => outcomes.reduce((sum, outcome) => sum + outcome, 0) / outcomes.length);
  const mean = Math.min(Math.max(meanOf(rates), 0), 1);
  const seCases = Math.sqrt(varianceOf(rates) / n);
  // A spread that is only rounding error must not decide.
  const effectiveN = seCases < 1e-9 ? n : Math.min(Math.max((mean * (1 - mean)) / seCases ** 2, n), runs);
  const { low, high } = wilsonAround(mean, effectiveN, -studentTQuantile((1 - level) / 2, n - 1));
  return { mean, seCases, effectiveN, df: n - 1, low, high };
}
