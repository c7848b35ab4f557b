import { expect, it } from 'vitest';
import { tokensOf, tokensOfTurns } from './token-usage-details.ts';

const counted = (total_tokens: number, reasoning_tokens: number | null) =>
  tokensOf({
    value: total_tokens,
    evidence: [{ kind: 'json', label: 'token_usage_details', value: { total_tokens, reasoning_tokens } }],
  });

it("tokensOf() reads a turn's tokens from the evidence of its score, with null for unreported ones", () => {
  expect(counted(15, null)).toMatchObject({ totalTokens: 15, reasoningTokens: null, promptTokens: null });
  expect(tokensOf({ value: 15 })).toBeNull();
  expect(tokensOf({ value: 15, evidence: [{ kind: 'json', label: 'token_usage_details', value: [1] }] })).toBeNull();
});

it('tokensOfTurns() averages over all turns, as ADK does, and returns null for kinds that no turn reported', () => {
  expect(tokensOfTurns([counted(10, null), counted(20, 4), null])).toMatchObject({
    totalTokens: 10,
    reasoningTokens: 4 / 3,
    cachedTokens: null,
  });
  expect(tokensOfTurns([null, null])).toBeNull();
});
