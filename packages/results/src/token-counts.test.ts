import { expect, it } from 'vitest';
import { tokenCounts } from './token-counts.ts';

it('tokenCounts reads counts from our own providers', () => {
  const usage = { inputTokens: 10, cachedInputTokens: 4, outputTokens: 7, reasoningTokens: 5, other: 'kept' };
  expect(tokenCounts(usage)).toEqual({ inputTokens: 10, cachedInputTokens: 4, outputTokens: 7, reasoningTokens: 5 });
});

it.each([
  [{ promptTokenCount: 9, candidatesTokenCount: 2, thoughtsTokenCount: 3, cachedContentTokenCount: 1 }],
  [{ prompt_token_count: 9, candidates_token_count: 2, thoughts_token_count: 3, cached_content_token_count: 1 }],
])("tokenCounts reads Gemini's counts, adding thoughts to the output: %o", (usage) => {
  expect(tokenCounts(usage)).toEqual({ inputTokens: 9, cachedInputTokens: 1, outputTokens: 5, reasoningTokens: 3 });
});

it('tokenCounts counts an unreported kind as 0 if another kind was reported', () => {
  expect(tokenCounts({ outputTokens: 1 })).toEqual({
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 1,
    reasoningTokens: 0,
  });
});

it.each([
  ['an empty object', {}],
  ['null', null],
  ['texts', { inputTokens: '5' }],
  ['negative numbers and NaN', { inputTokens: -1, outputTokens: Number.NaN }],
  ['an inherited count', Object.create({ inputTokens: 5 })],
])('tokenCounts returns null for %s', (_what, usage) => {
  expect(tokenCounts(usage)).toBeNull();
});
