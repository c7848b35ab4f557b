import { expect, it } from 'vitest';
import { tokenPrices } from './cost-of.ts';

it('tokenPrices selects the prices of models that are billed by token', () => {
  const large = { inputTokens: 1, outputTokens: 2, reasoningTokens: 0 };
  const service = { units: 3 };
  expect(tokenPrices({ large: { ...large, requests: 5 }, service, half: { inputTokens: 1 } })).toEqual({ large });
  expect([tokenPrices({ service }), tokenPrices({}), tokenPrices()]).toEqual([undefined, undefined, undefined]);
});
