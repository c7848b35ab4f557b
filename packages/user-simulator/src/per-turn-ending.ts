import type { Ending, Evidence, Score } from '@agent-criteria/core';

/**
 * Scores a last turn: the score of its message, or 0 if the conversation should not have ended there. If either the
 * message or the ending could not be judged, the other decides only if it is 0, because then the missing score could
 * not change the result.
 *
 * @param judged The score of the ending: whether it was right to end there.
 */
export function withEnding(message: Score, judged: Score, ending: Ending): Score {
  const warnings = endingWarnings(ending);
  const common = {
    evidence: [
      ...(message.evidence ?? []),
      note(`how it ended: ${describeEnding(ending)}`),
      ...(judged.evidence ?? []),
    ],
    ...(warnings.length === 0 ? {} : { warnings }),
  };
  const [own, end] = [numberOf(message), numberOf(judged)];
  if (own === 0 || end === 0) {
    const wrong = end === 0 ? [`it is wrong to end here: ${judged.reason ?? 'no reason was given'}`] : [];
    const reasons = [...(own === 0 && message.reason !== undefined ? [message.reason] : []), ...wrong];
    return {
      ...common,
      value: 0,
      ...(reasons.length === 0 ? {} : { reason: reasons.map(withoutStop).join('; and ') }),
    };
  }
  if (own !== null && end !== null) {
    return { ...common, value: own, reason: message.reason };
  }
  // In ADK, an ending replaces the score only if its own score exists and is 0.
  const shown = shownByAdk(judged) === 0 ? 0 : shownByAdk(message);
  const why = own === null ? message.reason : `it is not known whether it was right to end here: ${judged.reason}`;
  return {
    ...common,
    value: null,
    missing: 'could-not-judge',
    reason: why,
    ...(shown === null ? {} : { adkValue: shown }),
  };
}

/** Returns the score of a last turn whose message scores 0, whatever its ending. */
export function withUnjudgedEnding(message: Score, ending: Ending): Score {
  const warnings = endingWarnings(ending);
  return {
    ...message,
    evidence: [...(message.evidence ?? []), note(`how it ended: ${describeEnding(ending)}; this was not judged`)],
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** Returns a warning if the turn limit ended the conversation instead of the user. */
function endingWarnings(ending: Ending): readonly string[] {
  if (ending.by !== 'turn-limit') return [];
  return [
    `${describeEnding(ending)}: the user did not end it. Whether this was the right point to end is judged all the same; whether the user would have ended here is not known`,
  ];
}

/** Describes the actual ending of a conversation. */
function describeEnding({ by, reason }: Ending): string {
  const how = {
    user: 'the user ended the conversation',
    'turn-limit': 'the conversation was cut off at its turn limit',
    'end-of-case': 'the conversation ended with the last message of its script',
    abort: 'the conversation was aborted',
    error: 'the conversation ended with an error',
  }[by];
  return reason === undefined || reason === '' ? how : `${how} (${reason})`;
}

function note(text: string): Evidence {
  return { kind: 'note', text };
}

/** Removes the full stop from a reason that is followed by another. */
function withoutStop(reason: string, index: number, { length }: readonly string[]): string {
  return index < length - 1 ? reason.replace(/\.$/, '') : reason;
}

/** Returns the number of a score. Scores of messages and endings have no parts. */
function numberOf(score: Score): number | null {
  return 'parts' in score ? null : score.value;
}

function shownByAdk(score: Score): number | null {
  return score.adkValue === undefined ? numberOf(score) : score.adkValue;
}
