import type { Range } from '../contracts/criterion.ts';
import type { PlannedCriterion } from '../resolve/plan.ts';
import type { Bounds } from './bounds.ts';

/** The tolerance, relative to the threshold or to the width of the range. */
const SHARE = 1e-9;
/** The rounding error of a few operations on doubles, relative to their size. */
const ROUNDING = 1e-15;

/**
 * Computes how far a score may fall short of a threshold and still count as reaching it: 1e-9 of the threshold or of
 * the width of the range, whichever is smaller, but at least the rounding error of doubles at the ends of the range, so
 * that a score near a threshold of 0 can reach it.
 */
export function tolerance(threshold: number, { min, max }: Range): number {
  const size = Math.max(Math.abs(threshold), Math.abs(min), Math.abs(max ?? min));
  const width = max === null ? Number.POSITIVE_INFINITY : max - min;
  return Math.max(SHARE * Math.min(Math.abs(threshold), width), ROUNDING * size);
}

/** The verdict of a case or of a run. */
export type Verdict = 'passed' | 'failed' | 'not-evaluated' | 'error' | 'informational';

/**
 * A criterion's verdict on a case. `skipped` means that it does not apply, and the config has `when_not_applicable:
 * "skip"`.
 */
export type CriterionVerdict = 'passed' | 'failed' | 'not-evaluated' | 'informational' | 'skipped';

type Rule = Pick<PlannedCriterion, 'decides' | 'threshold' | 'minCoverage' | 'whenNotApplicable'> & {
  readonly criterion: Pick<PlannedCriterion['criterion'], 'range'>;
};

/**
 * Whether a value is at least as good as the threshold, within the tolerance: the mean of 0.7, 0.7 and 0.7 reaches 0.7.
 * Compat mode compares raw doubles, as ADK does.
 */
export function meetsThreshold(value: number, threshold: number, range: Range, compat: 'adk' | null): boolean {
  const slack = compat === 'adk' ? 0 : tolerance(threshold, range);
  return range.better === 'higher' ? value >= threshold - slack : value <= threshold + slack;
}

/** Whether the coverage is sufficient, in both modes. */
export function covers(coverage: number, minCoverage: number): boolean {
  return meetsThreshold(coverage, minCoverage, { min: 0, max: 1, better: 'higher' }, null);
}

/**
 * Applies the honest rule: a verdict holds only if no values of the missing scores could change it.
 *
 * Passed: something was scored, the coverage is sufficient, and it would still pass with every missing score at the
 * worst end of the range. Failed: it would fail even with every missing score at the best end. Otherwise: not
 * evaluated.
 *
 * @param bounds `null` if nothing was applicable.
 */
export function criterionVerdict(
  rule: Rule,
  bounds: Bounds | null,
  turns: number,
  compat: 'adk' | null,
): CriterionVerdict {
  if (!rule.decides || rule.threshold === null) return 'informational';
  if (turns === 0) return 'not-evaluated';
  if (bounds === null) return rule.whenNotApplicable === 'skip' ? 'skipped' : 'not-evaluated';
  const { range } = rule.criterion;
  if (!meetsThreshold(bounds.best, rule.threshold, range, compat)) return 'failed';
  const passes =
    bounds.shown !== null &&
    !bounds.lost &&
    (bounds.complete || rule.minCoverage < 1) &&
    covers(bounds.coverage, rule.minCoverage) &&
    meetsThreshold(bounds.worst, rule.threshold, range, compat);
  return passes ? 'passed' : 'not-evaluated';
}

/**
 * Derives the verdict of a case, as the first of these that matches: `error` if an inference ended in an error or
 * abort; `failed`, `not-evaluated` or `passed` if a criterion has that verdict; `informational` if all criteria have
 * it; otherwise `not-evaluated`, as when everything was skipped.
 */
export function caseVerdict(errored: boolean, criteria: readonly CriterionVerdict[]): Verdict {
  if (errored) return 'error';
  if (criteria.includes('failed')) return 'failed';
  if (criteria.includes('not-evaluated')) return 'not-evaluated';
  if (criteria.includes('passed')) return 'passed';
  const informationalOnly = criteria.length > 0 && criteria.every((verdict) => verdict === 'informational');
  return informationalOnly ? 'informational' : 'not-evaluated';
}

/**
 * Derives the exit code of a run. 0: all cases passed or are informational. 1: a case failed. 3: no case failed, but
 * one was not evaluated or ended in an error, or there is no case.
 */
export function exitCode(cases: readonly Verdict[]): 0 | 1 | 3 {
  let code: 0 | 3 = cases.length > 0 ? 0 : 3;
  // Uses no array methods, because an agent's or a criterion's code may have replaced them.
  for (let index = 0; index < cases.length; index += 1) {
    const verdict = cases[index];
    if (verdict === 'failed') return 1;
    // A verdict read from a file may be unknown. It does not count as a pass.
    if (verdict !== 'passed' && verdict !== 'informational') code = 3;
  }
  return code;
}
