import { caseVerdict, endedInError, meetsThreshold } from '@agent-criteria/core/host';
import type { CompactCaseResult, RunCriterion } from '@agent-criteria/results';

type CriterionResult = CompactCaseResult['criteria'][number];

/** The criteria of a set, and its compat mode. */
export interface JudgedBy {
  readonly criteria: readonly RunCriterion[];
  readonly compat: 'adk' | null;
}

/**
 * Whether the verdict of a case does not follow from the verdicts of its criteria, or one of these does not follow from its score.
 * More cannot be checked without the plugins that made the scores.
 */
export function contradictsItself(result: CompactCaseResult, { criteria, compat }: JudgedBy): boolean {
  const { verdict, units, expectsNothing } = result;
  const errored = units.length === 0 || units.some(({ ending }) => endedInError(ending));
  const verdicts = result.criteria.map((one) => one.verdict);
  const together = caseVerdict(errored, verdicts);
  // Without anything to compare with, neither passing nor failing is a result.
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
  // In compat mode, the score is ADK's. With incomplete coverage, the verdict does not depend on the score alone.
  if (compat !== null || score === null || coverage !== 1) return false;
  const isReached = meetsThreshold(score, threshold, range, compat);
  return verdict === 'passed' ? !isReached : verdict === 'failed' && isReached;
}
