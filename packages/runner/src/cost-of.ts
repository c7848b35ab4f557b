import type { RunCall } from '@agent-criteria/core';

/** What models cost: by the id of a model, then by the name under which it reports what was used. In any one currency. */
export type Prices = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * What a call cost. An answer from a cache or a recording costs nothing.
 * @returns `undefined` where nobody knows: the model has no price, or reported nothing that has one.
 */
export function costOf(
  { to, usage = {}, from }: Pick<RunCall, 'to' | 'usage' | 'from'>,
  prices: Prices = {},
): number | undefined {
  const own = Object.hasOwn(prices, to) ? Object.entries(prices[to] ?? {}) : [];
  const costs = own.flatMap(([name, price]) => {
    const used = Object.hasOwn(usage, name) ? usage[name] : undefined;
    return typeof used === 'number' ? [used * price] : [];
  });
  if (costs.length === 0) return undefined;
  return from === 'cache' || from === 'recording' ? 0 : costs.reduce((sum, cost) => sum + cost, 0);
}
