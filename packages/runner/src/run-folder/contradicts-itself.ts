import { caseVerdict, endedInError, meetsThreshold } from '@agent-criteria/core/host';
import type { CompactCaseResult, RunCriterion } from '@agent-criteria/results';

type CriterionResult = CompactCaseResult['criteria'][number];

/** The rules that judged a case: the set's criteria and the compat mode. */
export interface JudgedBy {
  readonly criteria: readonly RunCriterion[];
  readonly compat: 'adk' | null;
}

/**
 * Whether a case's verdict does not follow from the verdicts of its criteria, or a criterion's verdict does not follow
 * from its score. Anything more cannot be checked without the plugins that produced the scores.
 */
export function contradictsItself(result: CompactCaseResult, { criteria, compat }: JudgedBy): boolean {
  const { verdict, units, expectsNothing } = result;
  const errored = units.length === 0 || units.some(({ ending }) => endedInError(ending));
  const verdicts = result.criteria.map((one) => one.verdict);
  const together = caseVerdict(errored, verdicts);
  // With nothing to compare against, the case can neither pass nor fail.
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
