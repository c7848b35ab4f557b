import { type AgentCall, agentCalls } from './agent-calls.ts';
import { costOfTokens } from './agent-cost.ts';
import type { Prices } from './cost-of.ts';
import type { RunCall, RunCase, RunInference } from './run-record.ts';
import { type TokenCounts, tokenCounts } from './token-counts.ts';

/** Who calls models and services: the agent, the criteria, the simulated user or simulated tools. */
export type UsageRole = 'agent' | 'judge' | 'simulator' | 'tools';

/** The roles, in the order in which reports list them. */
export const usageRoles: readonly UsageRole[] = ['agent', 'judge', 'simulator', 'tools'];

/** The combined usage of many calls. Where nothing was reported, it is `null` or counted as unknown. Plain JSON. */
export interface Usage {
  /** Calls answered by a model or service during this run. */
  readonly live: number;
  /** Calls answered from a cache. */
  readonly cached: number;
  /** Calls answered from a recording. */
  readonly recorded: number;
  /** Failed calls, whose cost is unknown. */
  readonly failed: number;
  /** The number of requests made by live and failed calls, if some were retried. Default: one per call. */
  readonly requests?: number | undefined;
  /** The reported tokens of calls made during this run, or `null` if none were reported. */
  readonly tokens: TokenCounts | null;
  /** The number of live calls that reported no tokens. */
  readonly callsWithoutUsage: number;
  /** The tokens that cached and recorded answers originally used. */
  readonly reused: TokenCounts | null;
  /** The known cost of live calls, in the currency of the prices, or `null` if none is known. */
  readonly cost: number | null;
  /** The number of live calls whose cost is unknown. */
  readonly callsWithoutPrice: number;
  /** The models and services behind `callsWithoutPrice`, sorted. Empty for the agent's calls if the run has no prices. */
  readonly targetsWithoutPrice: readonly string[];
}

/** Usage by role. Roles without known calls are absent. */
export type RunUsage = Readonly<Partial<Record<UsageRole, Usage>>>;

/** The usage of many cases and, with several agents, of each variant. */
export interface TotalUsage extends RunUsage {
  readonly variants?: Readonly<Record<string, RunUsage>> | undefined;
}

const NONE: Usage = {
  live: 0,
  cached: 0,
  recorded: 0,
  failed: 0,
  tokens: null,
  callsWithoutUsage: 0,
  reused: null,
  cost: null,
  callsWithoutPrice: 0,
  targetsWithoutPrice: [],
};

/** The parts of a case that tell its usage. */
type UsedIn = Pick<RunCase, 'inferences' | 'calls' | 'prices'>;

/**
 * Sums the usage of a case over all repeats and scoring passes. Calls that were never sent are not counted. The agent's calls
 * cost what the run's prices say.
 */
export function usageOf({ inferences, calls = [], prices }: UsedIn): RunUsage {
  const of = (role: RunCall['role']) =>
    sum(calls.filter((call) => call.role === role && !isUnmade(call) && call.requests !== 0).map(ofCall));
  return byRole({
    agent: sum(inferences.flatMap((one) => ofAgent(one, prices))),
    judge: of('criterion'),
    simulator: of('user'),
    tools: of('tool'),
  });
}

/** Whether a call was never made, because the recording lacks its answer or cannot be read. */
export function isUnmade({ error }: Pick<RunCall, 'error'>): boolean {
  return error?.code === 'RECORDING_MISSING' || error?.code === 'RECORDING_UNREADABLE';
}

/** Returns a case's usage as part of the run's total. */
export function totalUsageOf(one: UsedIn & Pick<RunCase, 'variant'>): TotalUsage {
  const own = usageOf(one);
  const isUnknown = Object.keys(own).length === 0;
  return one.variant === undefined || isUnknown ? own : { ...own, variants: { [one.variant]: own } };
}

/** Adds two totals. Their order does not matter, except for the rounding of costs. */
export function addUsage(left: TotalUsage, right: TotalUsage): TotalUsage {
  const both = (role: UsageRole) => sum([left[role] ?? [], right[role] ?? []].flat());
  const all = byRole({
    agent: both('agent'),
    judge: both('judge'),
    simulator: both('simulator'),
    tools: both('tools'),
  });
  if (right.variants === undefined) return left.variants === undefined ? all : { ...all, variants: left.variants };
  const variants: Record<string, RunUsage> = { ...left.variants };
  for (const [name, own] of Object.entries(right.variants)) variants[name] = addUsage(variants[name] ?? {}, own);
  return { ...all, variants };
}

/** Sums the usage of cases, holding only one of them in memory at a time. */
export async function usageOfCases(cases: AsyncIterable<UsedIn & Pick<RunCase, 'variant'>>): Promise<TotalUsage> {
  let total: TotalUsage = {};
  for await (const one of cases) total = addUsage(total, totalUsageOf(one));
  return total;
}

function byRole({ agent, judge, simulator, tools }: Readonly<Record<UsageRole, Usage | null>>): RunUsage {
  return {
    ...(agent === null ? {} : { agent }),
    ...(judge === null ? {} : { judge }),
    ...(simulator === null ? {} : { simulator }),
    ...(tools === null ? {} : { tools }),
  };
}

function sum(usages: readonly Usage[]): Usage | null {
  return usages.length === 0 ? null : usages.reduce(plus, NONE);
}

function plus(left: Usage, right: Usage): Usage {
  const live = left.live + right.live;
  const failed = left.failed + right.failed;
  const requests = requestsOf(left) + requestsOf(right);
  return {
    live,
    cached: left.cached + right.cached,
    recorded: left.recorded + right.recorded,
    failed,
    ...(requests === live + failed ? {} : { requests }),
    tokens: plusTokens(left.tokens, right.tokens),
    callsWithoutUsage: left.callsWithoutUsage + right.callsWithoutUsage,
    reused: plusTokens(left.reused, right.reused),
    cost: left.cost === null ? right.cost : left.cost + (right.cost ?? 0),
    callsWithoutPrice: left.callsWithoutPrice + right.callsWithoutPrice,
    targetsWithoutPrice: union(left.targetsWithoutPrice, right.targetsWithoutPrice),
  };
}

/** The number of requests, including retries. */
function requestsOf({ live, failed, requests = live + failed }: Usage): number {
  return requests;
}

function plusTokens(left: TokenCounts | null, right: TokenCounts | null): TokenCounts | null {
  if (left === null || right === null) return left ?? right;
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    cachedInputTokens: left.cachedInputTokens + right.cachedInputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    reasoningTokens: left.reasoningTokens + right.reasoningTokens,
  };
}

function union(left: readonly string[], right: readonly string[]): readonly string[] {
  const more = right.filter((name) => !left.includes(name));
  return more.length === 0 ? left : [...left, ...more].sort();
}

interface Call extends Pick<RunCall, 'from' | 'cost' | 'requests'> {
  readonly target?: string;
  readonly usage?: unknown;
  readonly error?: unknown;
}

function ofCall({ target, usage, from = 'live', cost, error, requests = 1 }: Call): Usage {
  const tokens = tokenCounts(usage);
  const sent = requests === 1 ? {} : { requests };
  if (error !== undefined) return { ...NONE, ...sent, failed: 1, tokens };
  if (from === 'cache') return { ...NONE, cached: 1, reused: tokens };
  if (from === 'recording') return { ...NONE, recorded: 1, reused: tokens };
  const live = { ...NONE, ...sent, live: 1, tokens, callsWithoutUsage: tokens === null ? 1 : 0 };
  if (typeof cost === 'number' && Number.isFinite(cost) && cost >= 0) return { ...live, cost };
  return { ...live, callsWithoutPrice: 1, targetsWithoutPrice: target === undefined ? [] : [target] };
}

/** Stands for the model of a call that does not name it. */
const UNNAMED = 'a model without a name';

function ofAgent(one: RunInference, prices: Prices | undefined): Usage[] {
  return agentCalls(one).flatMap(({ calls, more }) => {
    const usages = calls.map((call) => ofCall({ usage: call.usage, error: call.error, ...priced(call, prices) }));
    return more > 0 ? [...usages, { ...NONE, live: more, callsWithoutUsage: more, callsWithoutPrice: more }] : usages;
  });
}

function priced({ model, usage }: AgentCall, prices: Prices | undefined): Pick<Call, 'target' | 'cost'> {
  if (prices === undefined) return {};
  const tokens = tokenCounts(usage);
  const cost = model === null || tokens === null ? undefined : costOfTokens(model, tokens, prices);
  return { target: model ?? UNNAMED, ...(cost === undefined ? {} : { cost }) };
}
