import type { Problem } from '@agent-criteria/core';
import type { Prices } from '@agent-criteria/results';
import type { BudgetLimits } from './spending.ts';

/**
 * Reports models with unknown prices before a run with a cost limit starts.
 * @param ids The ids of all models that the run may call.
 */
export function checkBudget({ maxCost }: BudgetLimits, prices: Prices | undefined, ids: readonly string[]): Problem[] {
  if (maxCost === undefined) return [];
  const priced = (id: string): boolean => {
    const own = prices !== undefined && Object.hasOwn(prices, id) ? (prices[id] ?? {}) : {};
    return ['inputTokens', 'outputTokens'].every((name) => Object.hasOwn(own, name) && isPrice(own[name]));
  };
  const missing = [...new Set(ids)].filter((id) => !priced(id));
  return missing.map((id) => ({
    code: 'INVALID_CONFIG',
    path: `$.prices[${JSON.stringify(id)}]`,
    message: `a cost limit needs input and output prices: set what one token of "${id}" costs, as in prices: { ${JSON.stringify(id)}: { inputTokens: 3e-7, outputTokens: 25e-7 } }, or limit calls or tokens`,
  }));
}

function isPrice(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
