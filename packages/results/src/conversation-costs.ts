import { agentCost } from './agent-cost.ts';
import type { Prices } from './cost-of.ts';
import type { RunRecord } from './run-record.ts';
import { addUsage, type RunUsage, type TotalUsage, type Usage, type UsageRole, usageOf, usageRoles } from './usage.ts';

/** The mean cost of one conversation in a run, by role. Roles without recorded calls are absent. Plain JSON. */
export interface ConversationCosts {
  /** Calls to models and services. */
  readonly calls: Readonly<Partial<Record<UsageRole, number>>>;
  /**
   * Cost in the currency of the prices, as if no answer came from a cache or a recording, or the reason why it is
   * unknown.
   */
  readonly price: Readonly<Partial<Record<UsageRole, number | { readonly unknown: string }>>>;
}

/**
 * Computes the mean costs in one pass over a run's cases. If a run was scored several times, judge calls are averaged
 * over the scoring passes.
 *
 * @param variant Selects one of several agents.
 * @param prices The prices of the agent's models. Default: the agent's cost is unknown.
 */
export async function conversationCosts(
  { info, cases }: Pick<RunRecord, 'info' | 'cases'>,
  variant: string | undefined,
  prices: Prices | undefined,
): Promise<ConversationCosts> {
  let total: TotalUsage = {};
  let conversations = 0;
  const agents: Price[] = [];
  for await (const one of cases()) {
    if (one.variant !== variant) continue;
    total = addUsage(total, usageOf(one));
    conversations += one.inferences.length;
    for (const inference of one.inferences) agents.push(prices ? agentCost(inference, prices) : NO_PRICES);
  }
  const calls: Partial<Record<UsageRole, number>> = {};
  const price: Partial<Record<UsageRole, Price>> = {};
  for (const role of usageRoles) {
    const usage = (total as RunUsage)[role];
    if (usage === undefined || conversations === 0) continue;
    const times = conversations * (role === 'judge' ? Math.max(1, info.scoring) : 1);
    const own = role === 'agent' ? sumOf(agents) : priceOf(usage);
    calls[role] = callsOf(usage) / times;
    price[role] = typeof own === 'number' ? own / times : own;
  }
  return { calls, price };
}

type Price = number | { readonly unknown: string };

const NO_PRICES = { unknown: 'the project config has no "prices"' };

function sumOf(prices: readonly Price[]): Price {
  let sum = 0;
  for (const price of prices) {
    if (typeof price !== 'number') return price;
    sum += price;
  }
  return sum;
}

function callsOf({ live, cached, recorded, failed }: Usage): number {
  return live + cached + recorded + failed;
}

function priceOf({ live, cached, recorded, cost, callsWithoutPrice, targetsWithoutPrice }: Usage): Price {
  if (live === 0) return { unknown: 'all answers came from a cache or a recording' };
  if (callsWithoutPrice > 0 || cost === null) {
    const names = targetsWithoutPrice.join(', ');
    return { unknown: names === '' ? 'some calls have no price' : `no price or token usage is known for ${names}` };
  }
  return (cost * (live + cached + recorded)) / live;
}
