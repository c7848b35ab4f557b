import { type Content, contentText, couldNotJudge, type Score } from '@agent-criteria/core';

/** Tells why an answer cannot be judged by its text; `null`: it can. Thoughts do not count as text. */
export function unjudgedAnswer(answer: Content | null | undefined): Score | null {
  if (contentText(answer).trim() !== '') return null;
  const isShown = answer?.parts?.some(({ text, thought }) => thought !== true && typeof text !== 'string');
  if (isShown) return couldNotJudge('the answer has no text, and the service only reads text');
  return { value: null, missing: 'not-applicable', reason: 'the agent said nothing in this turn' };
}
