import type { EvalMetricResult, EvalSetResult } from '@agent-criteria/formats';

/** ADK's status of a metric that only measures. */
const INFORMATIONAL = 4;

/**
 * Leaves out the metrics that only measure. ADK's web UI counts every metric that did not pass as failed, so a case that
 * passed by two criteria, with four more that measure, would be a red `2/6`.
 */
export function withoutInformational(result: EvalSetResult): EvalSetResult {
  return {
    ...result,
    evalCaseResults: result.evalCaseResults?.map((entry) => ({
      ...entry,
      overallEvalMetricResults: entry.overallEvalMetricResults.filter(decides),
      evalMetricResultPerInvocation: entry.evalMetricResultPerInvocation.map((turn) => ({
        ...turn,
        evalMetricResults: turn.evalMetricResults?.filter(decides),
      })),
    })),
  };
}

function decides({ evalStatus }: EvalMetricResult): boolean {
  return evalStatus !== INFORMATIONAL;
}
