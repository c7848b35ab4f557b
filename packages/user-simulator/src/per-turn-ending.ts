import type { Ending, Evidence, Score } from '@agent-criteria/core';

/**
 * The score of a last turn: that of its message, or 0 where ending after it was wrong. Where nobody could judge the one,
 * the other decides only if it is 0: no value of the first could change that.
 *
 * @param judged Whether ending there was right.
 */
export function withEnding(message: Score, judged: Score, ending: Ending): Score {
  const warnings = endingWarnings(ending);
  const common = {
    evidence: [...(message.evidence ?? []), note(`how it ended: ${tellEnding(ending)}`), ...(judged.evidence ?? [])],
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
  // ADK lets an ending replace the score only where it has one, and that is 0.
  const shown = shownByAdk(judged) === 0 ? 0 : shownByAdk(message);
  const why = own === null ? message.reason : `whether it was right to end here is not known: ${judged.reason}`;
  return {
    ...common,
    value: null,
    missing: 'could-not-judge',
    reason: why,
    ...(shown === null ? {} : { adkValue: shown }),
  };
}

/** The score of a last turn that is 0 whatever its ending was worth. */
export function withEndingTold(message: Score, ending: Ending): Score {
  const warnings = endingWarnings(ending);
  return {
    ...message,
    evidence: [...(message.evidence ?? []), note(`how it ended: ${tellEnding(ending)}; that was not judged`)],
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** Where the limit of turns ended a conversation, nobody has seen the user end it. */
function endingWarnings(ending: Ending): readonly string[] {
  if (ending.by !== 'turn-limit') return [];
  return [
    `${tellEnding(ending)}: the user did not end it. Whether that was the right point to end is judged all the same; whether the user would have ended there is not known`,
  ];
}

/** How a conversation really ended. */
function tellEnding({ by, reason }: Ending): string {
  const how = {
    user: 'the user ended the conversation',
    'turn-limit': 'the conversation was cut off at its limit of turns',
    'end-of-case': 'the conversation ended with the last message of its script',
    abort: 'the conversation was aborted',
    error: 'the conversation ended by an error',
  }[by];
  return reason === undefined || reason === '' ? how : `${how} (${reason})`;
}

function note(text: string): Evidence {
  return { kind: 'note', text };
}

/** Reasons are sentences, with or without their full stop; the last keeps it. */
function withoutStop(reason: string, index: number, { length }: readonly string[]): string {
  return index < length - 1 ? reason.replace(/\.$/, '') : reason;
}

/** Messages and endings have no parts. */
function numberOf(score: Score): number | null {
  return 'parts' in score ? null : score.value;
}

function shownByAdk(score: Score): number | null {
  return score.adkValue === undefined ? numberOf(score) : score.adkValue;
}
