import type { CriterionResult } from '@agent-criteria/core/host';

/** The parts of a criterion's result that describe it to OpenTelemetry. */
export interface EvaluationResult extends Pick<CriterionResult, 'name' | 'verdict' | 'score' | 'reason' | 'counts'> {
  readonly threshold?: CriterionResult['threshold'] | undefined;
  readonly coverage?: CriterionResult['coverage'] | undefined;
}

/**
 * Returns the attributes of the event `gen_ai.evaluation.result`, by OpenTelemetry's conventions for generative AI. A
 * missing score gets no attribute, rather than 0; `error.type` is then `could-not-judge` or `not-applicable`.
 */
export function evaluationAttributes(result: EvaluationResult): Readonly<Record<string, string | number>> {
  const { name, verdict, score, counts, reason, threshold = null, coverage = null } = result;
  return {
    'gen_ai.evaluation.name': name,
    'gen_ai.evaluation.score.label': verdict,
    ...(score === null
      ? { 'error.type': counts.couldNotJudge > 0 ? 'could-not-judge' : 'not-applicable' }
      : { 'gen_ai.evaluation.score.value': score }),
    ...(reason === undefined ? {} : { 'gen_ai.evaluation.explanation': reason }),
    ...(threshold === null ? {} : { 'agent_criteria.threshold': threshold }),
    ...(coverage === null ? {} : { 'agent_criteria.coverage': coverage }),
  };
}
