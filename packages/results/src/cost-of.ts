import type { State } from '@agent-criteria/core';
import type { RunCall } from './run-record.ts';

/**
 * Prices by model id or service name, then by the unit that it reports, such as `inputTokens`, in any single currency.
 * `cachedInputTokens` and `reasoningTokens` are included in `inputTokens` and `outputTokens`. If they have their own
 * price, they are not counted twice; otherwise, they are billed like the rest.
 */
export type Prices = Readonly<Record<string, Readonly<Record<string, number>>>>;

const PARTS = [
  ['inputTokens', 'cachedInputTokens'],
  ['outputTokens', 'reasoningTokens'],
] as const;

/**
 * Computes the cost of a call. Answers from a cache or a recording cost nothing.
 *
 * @returns `undefined` if there are no prices, or if nothing that has a price was reported.
 */
export function costOf(
  { target, usage = {}, from }: Pick<RunCall, 'target' | 'usage' | 'from'>,
  prices: Prices = {},
): number | undefined {
  const own = Object.hasOwn(prices, target) ? (prices[target] ?? {}) : {};
  const used = disjoint(usage, own);
  const costs = Object.entries(own).flatMap(([name, price]) => {
    const count = Object.hasOwn(used, name) ? used[name] : undefined;
    return typeof count === 'number' ? [count * price] : [];
  });
  if (costs.length === 0) return undefined;
  return from === 'cache' || from === 'recording' ? 0 : costs.reduce((sum, cost) => sum + cost, 0);
}

/** Subtracts separately priced parts from their totals, so that nothing is counted twice. */
function disjoint(usage: State, prices: Readonly<Record<string, number>>): State {
  const result = { ...usage };
  for (const [whole, part] of PARTS) {
    const [all, some] = [usage[whole], usage[part]];
    if (typeof all !== 'number' || typeof some !== 'number' || !Object.hasOwn(prices, part)) continue;
    result[part] = Math.min(some, all);
    result[whole] = all - Math.min(some, all);
  }
  return result;
}

const TOKENS = ['inputTokens', 'outputTokens', 'cachedInputTokens', 'reasoningTokens'];

/** Selects the prices of models that are billed by token, for criteria. @returns `undefined` if there are none. */
export function tokenPrices(prices: Prices = {}): Prices | undefined {
  const models = Object.entries(prices).flatMap(([model, own]) => {
    const priced = TOKENS.flatMap((name) => (Object.hasOwn(own, name) ? [[name, own[name]]] : []));
    return 'inputTokens' in own && 'outputTokens' in own ? [[model, Object.fromEntries(priced)]] : [];
  });
  return models.length === 0 ? undefined : Object.fromEntries(models);
}
