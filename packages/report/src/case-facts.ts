import type { Range } from '@agent-criteria/core';
import {
  type CaseResult,
  type CriterionResult,
  formatScore as formatNumber,
  formatShare,
  type Verdict,
} from '@agent-criteria/core/host';
import { namedCriteria, type RunCase, type RunCriterion, type RunSet } from '@agent-criteria/results';

/** Whether a case neither passed nor is informational. */
export function isBad(verdict: Verdict): boolean {
  return verdict !== 'passed' && verdict !== 'informational';
}

/**
 * Whether no repeat of a case was finished: none is recorded, or all were aborted. The console and Markdown reports do
 * not show such a case in full.
 */
export function wasAborted({ result }: RunCase): boolean {
  return result.units.every((unit) => unit.ending.by === 'abort');
}

/** Whether a case passed although one of its repeats did not. */
export function hasBadRepeat({ result }: RunCase): boolean {
  return !isBad(result.verdict) && result.units.some(({ verdict }) => isBad(verdict));
}

/** Formats `, 4 of 5 repeats passed`. Empty for a single repeat, or if no criterion decides. */
export function repeatsText({ verdict, units }: Pick<CaseResult, 'verdict' | 'units'>): string {
  if (units.length <= 1 || verdict === 'informational') return '';
  const passed = units.filter((unit) => unit.verdict === 'passed').length;
  return `, ${passed} of ${units.length} repeats passed`;
}

/** Returns the reason why there is no score. */
export function missingText({ verdict, counts }: CriterionResult): string {
  if (verdict === 'skipped') return 'skipped';
  if (counts.couldNotJudge > 0) return 'could not be judged';
  return counts.notApplicable > 0 ? 'not applicable' : 'not scored';
}

/** Formats a criterion's rule as `>= 0.8`, or `only measured`. */
export function ruleText({ threshold, range }: Pick<RunCriterion, 'threshold' | 'range'>): string {
  return threshold === null ? 'only measured' : `${range.better === 'higher' ? '>=' : '<='} ${threshold}`;
}

/** Formats a score, or `-` if there is none. */
export function formatScore(
  value: number | null,
  threshold: number | null = null,
  reached: Range | null = null,
): string {
  return value === null ? '-' : formatNumber(value, threshold, reached);
}

/** Formats a criterion's score so that it agrees with the verdict. In compat mode, formats ADK's number unchanged. */
export function resultScore({ score, threshold, verdict, adkStatus }: CriterionResult, range: Range): string {
  return formatScore(score, threshold, verdict === 'passed' && adkStatus === undefined ? range : null);
}

/**
 * Returns a criterion's range. A criterion that its set does not list was read from a file, so its range is unknown.
 */
export function rangeOf({ name }: CriterionResult, { criteria }: Pick<RunSet, 'criteria'>): Range {
  return criteria.find((criterion) => criterion.name === name)?.range ?? { min: 0, max: null, better: 'higher' };
}

/**
 * Formats `, mean of the turns 0.75` for a criterion with a separate score for the whole conversation; otherwise empty.
 */
export function meanOfTurnsText({ meanOfTurns }: CriterionResult): string {
  return meanOfTurns === undefined || meanOfTurns === null ? '' : `, mean of the turns ${formatScore(meanOfTurns)}`;
}

/**
 * Formats the share of applicable turns that were scored as `2/3`, with a percentage if some turns were only partly
 * scored.
 */
export function coverageText(result: CriterionResult): string {
  const { coverage, counts } = result;
  const apply = counts.scored + counts.couldNotJudge;
  // Partly scored turns count as scored, so the percentage is more informative.
  const partly = coverage !== null && Math.abs(coverage * apply - counts.scored) > 1e-9;
  return `${counts.scored}/${apply}${partly ? `, ${formatShare(coverage)}` : ''}${meanOfTurnsText(result)}`;
}

/** Formats the scores by the set's criteria, in order, as ` 0.5 (1/2), 1 (2/2)`. */
export function scoresText({ result }: Pick<RunCase, 'result'>, set: RunSet): string {
  if (result.criteria.length === 0) return '';
  const scores = resultsByCriterion(result, set).map(({ found, range }) => {
    if (found === undefined) return '-';
    return found.score === null ? missingText(found) : `${resultScore(found, range)} (${coverageText(found)})`;
  });
  return scores.length === 0 ? '' : ` ${scores.join(', ')}`;
}

/** Returns a case's results by each criterion in its config, in order. */
export function resultsByCriterion({ criteria }: Pick<CaseResult, 'criteria'>, set: Pick<RunSet, 'criteria'>) {
  return namedCriteria(set).map((criterion) => {
    return { ...criterion, found: criteria.find(({ name }) => name === criterion.name) };
  });
}

/** Returns the cases of these variants in order, with `undefined` for a missing one. */
export function byVariant(all: readonly RunCase[], names: readonly string[]): readonly (RunCase | undefined)[] {
  return names.map((name) => all.find(({ variant }) => variant === name));
}
