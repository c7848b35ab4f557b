import type { ModelAnswer } from '@agent-criteria/core';

/** The text of an answer, or the reason why there is none to read. */
export type TextReading = { readonly text: string } | { readonly problem: string };

/**
 * Returns the text of an answer, unless it was cut off at its token limit, blocked by a safety filter, or empty.
 *
 * @param name The answer as the problem names it. Default `'the answer'`.
 */
export function readText({ text, finish }: Pick<ModelAnswer, 'text' | 'finish'>, name = 'the answer'): TextReading {
  if (finish === 'length') return { problem: `${name} was cut off at its token limit` };
  if (finish === 'blocked') return { problem: `a safety filter blocked ${name}` };
  if (typeof text !== 'string' || text.trim() === '') return { problem: `${name} was empty` };
  return { text };
}
