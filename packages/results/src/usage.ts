import { agentCalls } from './agent-calls.ts';
import type { RunCall, RunCase, RunInference } from './run-record.ts';
import { type TokenCounts, tokenCounts } from './token-counts.ts';

/** For whom models and services were asked: the agent itself, the criteria, or the simulated user. */
export type UsageRole = 'agent' | 'judge' | 'simulator';

/** Roles in the order in which they are reported. */
export const usageRoles: readonly UsageRole[] = ['agent', 'judge', 'simulator'];

/** What many calls took. What was not reported is `null` or counted as unknown, never 0. Plain JSON. */
export interface Usage {
  /** Calls that a model or service answered now. */
  readonly live: number;
  /** Calls that a cache answered. */
  readonly cached: number;
  /** Calls that a recording answered. */
  readonly recorded: number;
  /** Calls that were not answered. What they cost all the same is not known. */
  readonly failed: number;
  /** How many requests live and failed calls were, where some were sent more than once. Default: one for each. */
  readonly requests?: number | undefined;
  /** What calls took now, as far as they tell; `null`: none does. */
  readonly tokens: TokenCounts | null;
  /** How many live calls tell no tokens. */
  readonly callsWithoutUsage: number;
  /** What answers of caches and recordings took when they were made, which nothing was spent on now. */
  readonly reused: TokenCounts | null;
  /** What live calls cost, as far as that is known, in the currency of the prices; `null`: of none it is known. */
  readonly cost: number | null;
  /** How many live calls have no known cost. */
  readonly callsWithoutPrice: number;
  /** The models and services of those, sorted. Of the agent's calls there are none: records hold no cost of them. */
  readonly targetsWithoutPrice: readonly string[];
}

/** Usage by role. A role that is not there made no call that anybody knows of. */
export type RunUsage = Readonly<Partial<Record<UsageRole, Usage>>>;

/** Usage of many cases; where several agents ran side by side, also that of each, by its name. */
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

/**
 * The usage of a case, all its repeats together: every call that is recorded, of all scorings of the run. Calls that were never sent,
 * because what they ask was known to be down, took nothing.
 */
export function usageOf({ inferences, calls = [] }: Pick<RunCase, 'inferences' | 'calls'>): RunUsage {
  const of = (role: RunCall['role']) =>
    sum(calls.filter((call) => call.role === role && !isUnmade(call) && call.requests !== 0).map(ofCall));
  return byRole({ agent: sum(inferences.flatMap(ofAgent)), judge: of('criterion'), simulator: of('user') });
}

/** Whether a call was never made, because a recording that is replayed lacks its answer: nothing was used by it. */
export function isUnmade({ error }: Pick<RunCall, 'error'>): boolean {
  return error?.code === 'RECORDING_MISSING' || error?.code === 'RECORDING_UNREADABLE';
}

/** What a case took, as a part of the total of a run. */
export function totalUsageOf(one: Pick<RunCase, 'inferences' | 'calls' | 'variant'>): TotalUsage {
  const own = usageOf(one);
  const isUnknown = Object.keys(own).length === 0;
  return one.variant === undefined || isUnknown ? own : { ...own, variants: { [one.variant]: own } };
}

/** Both together. In whatever order usages are added, every count is the same; costs are, but for rounding. */
export function addUsage(left: TotalUsage, right: TotalUsage): TotalUsage {
  const both = (role: UsageRole) => sum([left[role] ?? [], right[role] ?? []].flat());
  const all = byRole({ agent: both('agent'), judge: both('judge'), simulator: both('simulator') });
  if (right.variants === undefined) return left.variants === undefined ? all : { ...all, variants: left.variants };
  const variants: Record<string, RunUsage> = { ...left.variants };
  for (const [name, own] of Object.entries(right.variants)) variants[name] = addUsage(variants[name] ?? {}, own);
  return { ...all, variants };
}

/** What all of these cases took; holds one of them at a time. */
export async function usageOfCases(
  cases: AsyncIterable<Pick<RunCase, 'inferences' | 'calls' | 'variant'>>,
): Promise<TotalUsage> {
  let total: TotalUsage = {};
  for await (const one of cases) total = addUsage(total, totalUsageOf(one));
  return total;
}

function byRole({ agent, judge, simulator }: Readonly<Record<UsageRole, Usage | null>>): RunUsage {
  return {
    ...(agent === null ? {} : { agent }),
    ...(judge === null ? {} : { judge }),
    ...(simulator === null ? {} : { simulator }),
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

/** The number of requests, retries included. */
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

/** One call, recorded or reported by an agent. */
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

/** The model calls of an agent. */
function ofAgent(one: RunInference): Usage[] {
  return agentCalls(one).flatMap(({ calls, more }) => {
    const usages = calls.map(({ usage, error }) => ofCall({ usage, error }));
    return more > 0 ? [...usages, { ...NONE, live: more, callsWithoutUsage: more, callsWithoutPrice: more }] : usages;
  });
}
