import { agentCalls } from './agent-calls.ts';
import { costOf, type Prices } from './cost-of.ts';
import type { RunInference } from './run-record.ts';
import { type TokenCounts, tokenCounts } from './token-counts.ts';

/**
 * Computes the cost of an agent's model calls in a conversation from the tokens they report, or gives the reason why it
 * is unknown. Calls made by judges and simulated users are not included.
 */
export function agentCost(one: Pick<RunInference, 'inference'>, prices: Prices): number | { readonly unknown: string } {
  const turns = agentCalls(one);
  const calls = turns.flatMap((turn) => turn.calls);
  const made = calls.length + turns.reduce((sum, { more }) => sum + more, 0);
  if (made === 0) return { unknown: 'the agent reports no calls to models' };
  const counted = calls.flatMap(({ model, usage }) => {
    const tokens = tokenCounts(usage);
    return tokens === null ? [] : [{ model, tokens }];
  });
  if (counted.length < made)
    return { unknown: `${made - counted.length} of ${made} calls to models reported no tokens` };
  let sum = 0;
  for (const { model, tokens } of counted) {
    if (model === null) return { unknown: 'a call does not name its model' };
    const cost = costOfTokens(model, tokens, prices);
    if (cost === undefined) return { unknown: `"prices" has no price of the tokens of "${model}"` };
    sum += cost;
  }
  return sum;
}

/** Computes the cost of a call from its tokens. Returns `undefined` if the model has no price. */
export function costOfTokens(model: string, tokens: TokenCounts, prices: Prices): number | undefined {
  return hasPrice(prices, model) ? costOf({ target: model, usage: { ...tokens } }, prices) : undefined;
}

/** A partial price would understate the cost, so both kinds of tokens must have one. */
function hasPrice(prices: Prices, model: string): boolean {
  const own = Object.hasOwn(prices, model) ? prices[model] : undefined;
  return own !== undefined && Object.hasOwn(own, 'inputTokens') && Object.hasOwn(own, 'outputTokens');
}
