import type { Range } from '../contracts/criterion.ts';
import type { PlannedCriterion } from '../resolve/plan.ts';
import type { Bounds } from './bounds.ts';

/** What a threshold overlooks of itself, or of its range where that is narrower. */
const SHARE = 1e-9;
/** What doubles lose in a few steps at the size of the numbers they work with: some units in the last place. */
const ROUNDING = 1e-15;

/**
 * By how much a score may miss a threshold and still reach it: 1e-9 of the threshold or of the width of the range,
 * whichever is smaller. Where that is finer than doubles are at the ends of the range, as beside a threshold of 0, it is
 * what doubles lose there: a score computed as 1 - 0.1 * 10 is meant to be 0.
 */
export function tolerance(threshold: number, { min, max }: Range): number {
  const size = Math.max(Math.abs(threshold), Math.abs(min), Math.abs(max ?? min));
  const width = max === null ? Number.POSITIVE_INFINITY : max - min;
  return Math.max(SHARE * Math.min(Math.abs(threshold), width), ROUNDING * size);
}

/** What a case, a run or a deciding criterion comes to. */
export type Verdict = 'passed' | 'failed' | 'not-evaluated' | 'error' | 'informational';

/** What one criterion comes to for a case. `skipped`: it does not apply, and the config says to go on without it. */
export type CriterionVerdict = 'passed' | 'failed' | 'not-evaluated' | 'informational' | 'skipped';

type Rule = Pick<PlannedCriterion, 'decides' | 'threshold' | 'minCoverage' | 'whenNotApplicable'> & {
  readonly criterion: Pick<PlannedCriterion['criterion'], 'range'>;
};

/**
 * Whether a value reaches the threshold, inclusive, at the better side. What doubles lose is overlooked: 0.7, 0.7, 0.7
 * reaches 0.7. Compat mode compares raw doubles, as ADK does.
 */
export function meetsThreshold(value: number, threshold: number, range: Range, compat: 'adk' | null): boolean {
  const slack = compat === 'adk' ? 0 : tolerance(threshold, range);
  return range.better === 'higher' ? value >= threshold - slack : value <= threshold + slack;
}

/** Whether enough was scored, in every mode: ADK knows no coverage. */
export function covers(coverage: number, minCoverage: number): boolean {
  return meetsThreshold(coverage, minCoverage, { min: 0, max: 1, better: 'higher' }, null);
}

/**
 * The honest rule: a verdict stands only when no value of the missing scores could change it.
 *
 * Passed: something was scored, coverage is enough, and it would still pass with every missing score at the worst end.
 * Failed: it would fail even with each of them at the best end. Otherwise not evaluated.
 * `bounds` is `null` when nothing was applicable.
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
 * The verdict of a case, first match: an inference that ended by error or abort; a deciding criterion failed; one was not
 * evaluated; one passed; only informational ones configured; else (everything skipped) not evaluated.
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
 * The exit code of a run: 0 all passed (or only measured), 1 something failed, 3 nothing failed but something was not
 * evaluated or an error, or there was no case at all.
 */
export function exitCode(cases: readonly Verdict[]): 0 | 1 | 3 {
  let code: 0 | 3 = cases.length > 0 ? 0 : 3;
  // No array methods: a module that an agent or a criterion loads may have replaced them.
  for (let index = 0; index < cases.length; index += 1) {
    const verdict = cases[index];
    if (verdict === 'failed') return 1;
    // Results may come from a file: only what is known to be good is.
    if (verdict !== 'passed' && verdict !== 'informational') code = 3;
  }
  return code;
}
