import { caseVerdict, endedInError, meetsThreshold } from '@agent-criteria/core/host';
import type { CompactCaseResult, RunCriterion } from '@agent-criteria/results';

type CriterionResult = CompactCaseResult['criteria'][number];

/** What a set was judged by. */
export interface JudgedBy {
  readonly criteria: readonly RunCriterion[];
  readonly compat: 'adk' | null;
}

/**
 * Whether the verdict of a case does not follow from those of its criteria, or one of these not from its score. That is all
 * that can be told without the plugins that have made the scores.
 */
export function contradictsItself(result: CompactCaseResult, { criteria, compat }: JudgedBy): boolean {
  const { verdict, units, expectsNothing } = result;
  const errored = units.length === 0 || units.some(({ ending }) => endedInError(ending));
  const verdicts = result.criteria.map((one) => one.verdict);
  const together = caseVerdict(errored, verdicts);
  // Criteria that had nothing to compare with say nothing, whether they passed or not.
  const mustBe =
    expectsNothing === true && (together === 'passed' || together === 'failed') ? 'not-evaluated' : together;
  if (mustBe !== verdict) return true;
  return result.criteria.some((one) => {
    const rule = criteria.find(({ name }) => name === one.name);
    return rule === undefined || isImpossible(one, rule, compat);
  });
}

function isImpossible(
  { verdict, score, coverage }: CriterionResult,
  rule: RunCriterion,
  compat: 'adk' | null,
): boolean {
  const { threshold, range } = rule;
  if (threshold === null) return verdict !== 'informational';
  if (verdict === 'passed' && score === null) return true;
  // In compat mode the score shown is ADK's; and where something is missing, the verdict does not rest on the score alone.
  if (compat !== null || score === null || coverage !== 1) return false;
  const isReached = meetsThreshold(score, threshold, range, compat);
  return verdict === 'passed' ? !isReached : verdict === 'failed' && isReached;
}
