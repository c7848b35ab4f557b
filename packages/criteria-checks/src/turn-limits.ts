import type { Invocation, Transcript } from '@agent-criteria/core';
import { modelCalls, sumTokens, type Tokens } from '@agent-criteria/core/usage';
import { origin } from './origin.ts';

/** Properties shared by the criteria that limit turns: lower is better, and a case's largest turn decides. */
export const largestTurn = {
  origin,
  range: { min: 0, max: null, better: 'lower' },
  aggregate: (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), 0),
  readsAnswer: false,
  scope: 'turn',
} as const;

/** A model call whose token counts are all known. */
export interface CountedCall {
  readonly model: string | null;
  readonly tokens: Tokens;
}

/** Returns every model call of a turn with its token counts, or the reason why one of them is unknown. */
export function turnTokens(
  actual: Invocation,
  index: number,
  transcript: Transcript,
): readonly CountedCall[] | { readonly unknown: string } {
  const calls = modelCalls(actual, index, transcript).map(({ model, usage }) => ({
    model,
    tokens: sumTokens([usage]),
  }));
  const made = Math.max(calls.length, actual.inferenceCallCount ?? 0);
  if (made === 0) return { unknown: 'the agent reports no calls to models' };
  const told = calls.filter(({ tokens }) => tokens.total_tokens !== null);
  if (told.length === made) return told;
  return { unknown: `${made - told.length} of ${made} calls to models reported no tokens` };
}
