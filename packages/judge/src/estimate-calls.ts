import { type CallEstimate, contentText, type Unit } from '@agent-criteria/core';
import type { JudgeOptions } from './options.ts';

/** Letters of a token: few where a text has many symbols, more in plain English. */
const LETTERS = { most: 6, fewest: 2 };
/** What an answer may take, reasoning included, where nothing is known of it. */
const ANSWER_TOKENS = { min: 20, max: 1_000 };

/**
 * How many calls judging so many things takes, and how many tokens: from what is fixed in the prompt and the texts of the
 * case, as far as they are known before the agent has run. Rounds that repair an answer and retries are left out.
 *
 * @param fixed Everything in the prompt that is the same for every case.
 */
export function estimateCalls(
  { case: evalCase }: Unit,
  judged: number,
  { judgeModelOptions: { numSamples } }: JudgeOptions,
  fixed: string,
): CallEstimate {
  const min = judged * (Math.floor(numSamples / 2) + 1);
  const max = judged * numSamples;
  const letters = (evalCase.conversation ?? [])
    .map(({ userContent, finalResponse }) => contentText(userContent).length + 2 * contentText(finalResponse).length)
    .reduce((sum, length) => sum + length, 0);
  return {
    min,
    max,
    tokens: {
      min: Math.floor(min * (fixed.length / LETTERS.most + ANSWER_TOKENS.min)),
      max: Math.ceil(max * ((fixed.length + letters) / LETTERS.fewest + ANSWER_TOKENS.max)),
    },
  };
}
