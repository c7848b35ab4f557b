import { expect, it } from 'vitest';
import { tokensOf, tokensOfTurns } from './token-usage-details.ts';

const counted = (total_tokens: number, reasoning_tokens: number | null) =>
  tokensOf({
    value: total_tokens,
    evidence: [{ kind: 'json', label: 'token_usage_details', value: { total_tokens, reasoning_tokens } }],
  });

it('the tokens of a turn come from its evidence, and unreported ones are null', () => {
  expect(counted(15, null)).toMatchObject({ totalTokens: 15, reasoningTokens: null, promptTokens: null });
  expect(tokensOf({ value: 15 })).toBeNull();
  expect(tokensOf({ value: 15, evidence: [{ kind: 'json', label: 'token_usage_details', value: [1] }] })).toBeNull();
});

it('each kind of tokens is divided by all turns, as in ADK, and is null if no turn reported it', () => {
  expect(tokensOfTurns([counted(10, null), counted(20, 4), null])).toMatchObject({
    totalTokens: 10,
    reasoningTokens: 4 / 3,
    cachedTokens: null,
  });
  expect(tokensOfTurns([null, null])).toBeNull();
});
