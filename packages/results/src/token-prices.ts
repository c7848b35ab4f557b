import type { Prices } from './cost-of.ts';

const TOKENS = ['inputTokens', 'outputTokens', 'cachedInputTokens', 'reasoningTokens'];

/**
 * Of the prices, those of models that are paid by the token, as criteria take them: what else has a price, such as the
 * requests of a service, is left out. `undefined`: there are none.
 */
export function tokenPrices(prices: Prices = {}): Prices | undefined {
  const models = Object.entries(prices).flatMap(([model, own]) => {
    const priced = TOKENS.flatMap((name) => (Object.hasOwn(own, name) ? [[name, own[name]]] : []));
    return 'inputTokens' in own && 'outputTokens' in own ? [[model, Object.fromEntries(priced)]] : [];
  });
  return models.length === 0 ? undefined : Object.fromEntries(models);
}
