import { expect, it } from 'vitest';
import { costOf } from './cost-of.ts';

const prices = { judge: { inputTokens: 0.5, outputTokens: 2 } };
const usage = { inputTokens: 10, outputTokens: 3, totalTokens: 13 };

it('costOf multiplies usage by prices', () => {
  expect(costOf({ target: 'judge', usage, from: 'live' }, prices)).toBe(11);
  expect(costOf({ target: 'judge', usage }, prices)).toBe(11);
});

it.each(['cache', 'recording'] as const)('costOf is 0 for an answer from a %s', (from) => {
  expect(costOf({ target: 'judge', usage, from }, prices)).toBe(0);
});

it.each<[string, Parameters<typeof costOf>]>([
  ['for a model without a price', [{ target: 'other', usage }, prices]],
  ['without usage', [{ target: 'judge' }, prices]],
  [
    'for usage without any kind that has a price',
    [{ target: 'judge', usage: { seconds: 4, inputTokens: '10' } }, prices],
  ],
  ['without prices', [{ target: 'judge', usage }]],
  ['for a model with the name of an inherited property', [{ target: 'constructor', usage: { name: 1 } }, prices]],
])('costOf is undefined %s', (_what, given) => {
  expect(costOf(...given)).toBeUndefined();
});

it('costOf does not count cached and reasoning tokens twice', () => {
  const own = { judge: { inputTokens: 2, cachedInputTokens: 1, outputTokens: 10, reasoningTokens: 20 } };
  const used = { inputTokens: 10, cachedInputTokens: 4, outputTokens: 5, reasoningTokens: 2 };
  expect(costOf({ target: 'judge', usage: used }, own)).toBe(6 * 2 + 4 * 1 + 3 * 10 + 2 * 20);
  expect(costOf({ target: 'judge', usage: used }, { judge: { inputTokens: 2 } })).toBe(20);
});
