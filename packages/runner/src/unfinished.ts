import { type CaseResult, endedInError } from '@agent-criteria/core/host';
import { isUnmade, type RunCall, type RunInference } from '@agent-criteria/results';

/** What there is of a case. */
interface UnfinishedRecords {
  readonly inferences: readonly RunInference[];
  readonly calls: readonly RunCall[];
  /** How many there were to be. */
  readonly repeats: number;
}

/** The result of a case that the run did not come to the end of: an error, never a pass. */
export function unfinishedCase(
  ids: Pick<CaseResult, 'setId' | 'caseId' | 'variant'>,
  { inferences, calls, repeats }: UnfinishedRecords,
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
          : (missingAnswer(calls) ?? 'the run ended before this case was scored')));
  return {
    ...ids,
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

/** The first answer that the recording lacks, which is why there is no score; `undefined`: it lacks none. */
function missingAnswer(calls: readonly RunCall[]): string | undefined {
  const first = calls.find(isUnmade);
  if (first?.error === undefined) return undefined;
  const { error, caller, turn, sample } = first;
  if (error.code !== 'RECORDING_MISSING') return error.message;
  const place = turn === null ? 'the conversation' : `turn ${turn + 1}`;
  return `not judged: the recording has no answer for ${caller}, ${place}, sample ${sample + 1}`;
}
