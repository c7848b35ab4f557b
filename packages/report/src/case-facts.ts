import type { Range } from '@agent-criteria/core';
import {
  type CaseResult,
  type CriterionResult,
  formatScore as formatNumber,
  formatShare,
  type Verdict,
} from '@agent-criteria/core/host';
import { namedCriteria, type RunCase, type RunCriterion, type RunSet } from '@agent-criteria/results';

/** Whether a case has to be told of: it neither passed nor only measured. */
export function isBad(verdict: Verdict): boolean {
  return verdict !== 'passed' && verdict !== 'informational';
}

/** Whether nothing but an interrupt kept the case from its verdict: there is nothing to tell of it but the count. */
export function wasAborted({ result }: RunCase): boolean {
  return result.units.every((unit) => unit.ending.by === 'abort');
}

/** Whether a case that is well has a repeat that is not: it has to be shown too. */
export function hasBadRepeat({ result }: RunCase): boolean {
  return !isBad(result.verdict) && result.units.some(({ verdict }) => isBad(verdict));
}

/** `, 4 of 5 repeats passed`; nothing for a single one, and where nothing decides. */
export function repeatsText({ verdict, units }: Pick<CaseResult, 'verdict' | 'units'>): string {
  if (units.length <= 1 || verdict === 'informational') return '';
  const passed = units.filter((unit) => unit.verdict === 'passed').length;
  return `, ${passed} of ${units.length} repeats passed`;
}

/** Why there is no number; never to be taken for 0. */
export function missingText({ verdict, counts }: CriterionResult): string {
  if (verdict === 'skipped') return 'skipped';
  if (counts.couldNotJudge > 0) return 'could not be judged';
  return counts.notApplicable > 0 ? 'not applicable' : 'not scored';
}

/** `>= 0.8`, or that it only measures. */
export function ruleText({ threshold, range }: Pick<RunCriterion, 'threshold' | 'range'>): string {
  return threshold === null ? 'only measured' : `${range.better === 'higher' ? '>=' : '<='} ${threshold}`;
}

/** As `formatScore` of core has it; `-` where there is no number. */
export function formatScore(
  value: number | null,
  threshold: number | null = null,
  reached: Range | null = null,
): string {
  return value === null ? '-' : formatNumber(value, threshold, reached);
}

/** The score of a criterion as its verdict has it; the numbers of compat mode are ADK's, as they are. */
export function resultScore({ score, threshold, verdict, adkStatus }: CriterionResult, range: Range): string {
  return formatScore(score, threshold, verdict === 'passed' && adkStatus === undefined ? range : null);
}

/** A record of a criterion that its set does not list comes from a file; nothing is known of its range. */
export function rangeOf({ name }: CriterionResult, { criteria }: Pick<RunSet, 'criteria'>): Range {
  return criteria.find((criterion) => criterion.name === name)?.range ?? { min: 0, max: null, better: 'higher' };
}

/** `, mean of the turns 0.75` for a criterion with a score of its own for the whole conversation; else nothing. */
export function meanOfTurnsText({ meanOfTurns }: CriterionResult): string {
  return meanOfTurns === undefined || meanOfTurns === null ? '' : `, mean of the turns ${formatScore(meanOfTurns)}`;
}

/** How much of what applies was scored: `2/3`, with the share where turns were scored in part. */
export function coverageText(result: CriterionResult): string {
  const { coverage, counts } = result;
  const apply = counts.scored + counts.couldNotJudge;
  // Turns that were scored in part count as scored: then the share says more.
  const partly = coverage !== null && Math.abs(coverage * apply - counts.scored) > 1e-9;
  return `${counts.scored}/${apply}${partly ? `, ${formatShare(coverage)}` : ''}${meanOfTurnsText(result)}`;
}

/** How long the agent took for a case, all repeats together, in milliseconds; `null` where nothing tells. */
export function caseDuration({ inferences }: RunCase): number | null {
  let sum: number | null = null;
  for (const { startedAt, endedAt, inference } of inferences) {
    if (startedAt !== undefined && endedAt !== undefined) {
      sum = (sum ?? 0) + Math.max(endedAt - startedAt, 0);
      continue;
    }
    for (const { duration } of inference.invocations) {
      if (typeof duration === 'number') sum = (sum ?? 0) + Math.max(duration * 1000, 0);
    }
  }
  return sum;
}

/** ` 0.5 (1/2), 1 (2/2)`: of the criteria of the set, in their order. */
export function scoresText({ result }: Pick<RunCase, 'result'>, set: RunSet): string {
  if (result.criteria.length === 0) return '';
  const scores = namedCriteria(set).map(({ name, range }) => {
    const found = result.criteria.find((criterion) => criterion.name === name);
    if (found === undefined) return '-';
    return found.score === null ? missingText(found) : `${resultScore(found, range)} (${coverageText(found)})`;
  });
  return scores.length === 0 ? '' : ` ${scores.join(', ')}`;
}
