import { type CaseResult, endedInError } from '@agent-criteria/core/host';
import type { RunInference } from '@agent-criteria/results';

/** The result of a case that the run did not come to the end of: an error, never a pass. */
export function unfinishedCase(
  setId: string,
  caseId: string,
  inferences: readonly RunInference[],
  repeats: number,
): CaseResult {
  const units = inferences.map(({ key, inference }) => ({
    repeat: key.repeat,
    sessionId: inference.sessionId,
    ending: inference.ending,
  }));
  const bad = units.find((unit) => endedInError(unit.ending))?.ending;
  const inferred = units.filter((unit) => !endedInError(unit.ending)).length;
  const reason =
    bad?.by === 'error'
      ? bad.error.message
      : (bad?.reason ??
        (inferred < repeats
          ? inferred === 0
            ? 'no inference is recorded: the run ended before this case, or what the agent sees of the case has changed since then'
            : `the run ended after ${inferred} of ${repeats} repeats`
          : 'the run ended before this case was scored'));
  return {
    setId,
    caseId,
    verdict: 'error',
    reason,
    criteria: [],
    units: units.map(({ repeat, sessionId, ending }) => ({
      repeat,
      sessionId,
      ending,
      criteria: [],
      verdict: endedInError(ending) ? 'error' : 'not-evaluated',
    })),
  };
}
