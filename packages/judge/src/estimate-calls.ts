import { type CallEstimate, contentText, type Unit } from '@agent-criteria/core';
import type { JudgeOptions } from './options.ts';

/** Characters per token: few in text with many symbols, more in plain English. */
const LETTERS = { most: 6, fewest: 2 };
/** The assumed size of an answer, including its reasoning. */
const ANSWER_TOKENS = { min: 20, max: 1_000 };

/**
 * Estimates the calls and tokens for a number of votes, from the fixed part of the prompt and those parts of the case
 * that are known before a run. Does not include second requests or retries.
 *
 * @param fixed The part of the prompt that is the same for every case.
 */
export function estimateJudgeCalls(
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
