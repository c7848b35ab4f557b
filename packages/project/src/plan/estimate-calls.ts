import { type CallEstimate, CriteriaError } from '@agent-criteria/core';
import { optionsFor, type Plan, type PlannedCriterion } from '@agent-criteria/core/host';
import { historyLength } from '@agent-criteria/formats/parse';
import type { Prices } from '@agent-criteria/results';
import { type CallOptions, callSettings, isReplayOnly } from '../config/call-settings.ts';
import type { Project } from '../config/open-project.ts';
import { caseCount, fewestRepeats, type PlannedRepeats } from './auto-repeats.ts';
import { openPolicies } from './open-policies.ts';
import type { PreparedSet } from './plan-sets.ts';
import { plannedModels } from './planned-models.ts';

/** The default turn limit of a simulated conversation, as in ADK. */
const MOST_TURNS = 20;

/** A range from the minimum to the maximum. */
export interface Span {
  readonly min: number;
  readonly max: number;
}

/** The calls that one criterion, or the simulated user, would make for one eval set. */
export interface EstimatedCalls {
  readonly set: string;
  readonly role: 'criterion' | 'user' | 'tool';
  /** The name of the criterion or of the simulator. */
  readonly criterion: string;
  /** The ids of the models. */
  readonly models: readonly string[];
  /** The calls without retries, or `null` if unknown. */
  readonly calls: Span | null;
  readonly tokens: Span | null;
  /** The cost in the currency of the prices, or `null` if a price or the tokens are unknown. */
  readonly cost: Span | null;
}

export interface Estimate {
  /** Simulated users, simulated tools and criteria, set by set, including those that call nothing. */
  readonly rows: readonly EstimatedCalls[];
  readonly total: Pick<EstimatedCalls, 'calls' | 'tokens' | 'cost'>;
  readonly budget: {
    readonly maxCalls: number | undefined;
    readonly maxTokens: number | undefined;
    readonly maxCost: number | undefined;
  };
}

/** The parts of a prepared run that an estimate needs. */
interface RunToEstimate extends PlannedRepeats {
  readonly project: Project;
  readonly sets: readonly PreparedSet[];
  /** The agents that run side by side. */
  readonly agents: readonly unknown[];
}

/**
 * Estimates the calls of a prepared run, from the minimum that can decide it to the maximum with all samples. Runs
 * nothing.
 * @throws CriteriaError if the run would be rejected, and INVALID_PLUGIN if a criterion's estimate throws.
 */
export async function estimateCalls(prepared: RunToEstimate): Promise<Estimate> {
  const { sets, project, repeats: ofEach, auto, agents } = prepared;
  const plans = sets.map(({ plan }) => plan);
  const fewest = auto ? fewestRepeats(auto.casePassRate, ofEach, caseCount(sets)) : ofEach;
  const repeats = { min: fewest * agents.length, max: ofEach * agents.length };
  const policies = await openPolicies(plans, project.config, readOnly(project));
  await policies?.close();
  const { prices, maxCalls, maxTokens, maxCost } = callSettings(project.config);
  const rows = plans.flatMap((plan) => [
    ...userRows(plan, repeats),
    ...toolRows(plan),
    ...plan.criteria
      .filter(({ byDefault }) => byDefault !== true)
      .map((planned) => rowOf(plan, planned, repeats, prices)),
  ]);
  const total = {
    calls: sum(rows.map((row) => row.calls)),
    tokens: sum(rows.filter(asks).map((row) => row.tokens)),
    cost: sum(rows.filter(asks).map((row) => row.cost)),
  };
  return { rows, total, budget: { maxCalls, maxTokens, maxCost } };
}

/** Whether a criterion or simulated user may make any calls at all. */
export function asks({ calls }: EstimatedCalls): boolean {
  return calls === null || calls.max > 0;
}

/** Returns settings for calls that create no files. */
function readOnly({ config }: Project): CallOptions {
  return { cache: false, recording: isReplayOnly(config) ? undefined : { mode: 'off' } };
}

/** Estimates the calls of the simulated user, without knowing the length of the conversation. */
function userRows(plan: Plan, repeats: Span): EstimatedCalls[] {
  const { simulator, evalSet } = plan;
  if (simulator?.simulator.models === undefined) return [];
  const led = evalSet.evalCases.filter(({ conversationScenario }) => conversationScenario).length;
  const models = modelIds({ simulator, models: plan.models });
  const turns = allowedTurns(plan);
  const calls =
    turns === null ? null : { min: led * repeats.min * Math.min(turns - 1, 1), max: led * repeats.max * (turns - 1) };
  const name = `${simulator.simulator.name} (the user)`;
  // It is also unknown how much of a conversation the simulated user reads.
  return [{ set: evalSet.evalSetId, role: 'user', criterion: name, models, calls, tokens: null, cost: null }];
}

/** Names the simulated tools. How often an agent calls them is unknown before it runs. */
function toolRows(plan: Plan): EstimatedCalls[] {
  const asking = new Map<string, Plan['environments']>();
  for (const [caseId, { config, simulators }] of plan.environments) {
    for (const simulator of new Set(simulators.values())) {
      if (simulator.models === undefined) continue;
      const own = new Map([...simulators].filter(([, one]) => one === simulator));
      asking.set(
        simulator.name,
        new Map([...(asking.get(simulator.name) ?? []), [caseId, { config, simulators: own }]]),
      );
    }
  }
  return [...asking].map(([name, environments]) => {
    const models = modelIds({ environments, models: plan.models });
    const unknown = { calls: null, tokens: null, cost: null };
    return { set: plan.evalSet.evalSetId, role: 'tool', criterion: `${name} (tools)`, models, ...unknown };
  });
}

function modelIds(part: Parameters<typeof plannedModels>[0][number]): readonly string[] {
  return [...new Set(plannedModels([part]).map(({ model }) => model.id))];
}

function rowOf(plan: Plan, planned: PlannedCriterion, repeats: Span, prices: Prices | undefined): EstimatedCalls {
  const { name, criterion } = planned;
  const models = modelIds({ criteria: [planned], models: plan.models });
  const row = { set: plan.evalSet.evalSetId, role: 'criterion' as const, criterion: name, models };
  if (criterion.estimate === undefined) {
    const none = criterion.models === undefined ? { min: 0, max: 0 } : null;
    return { ...row, calls: none, tokens: none, cost: none };
  }
  const estimates: CallEstimate[] = [];
  for (const evalCase of plan.evalSet.evalCases) {
    if (planned.inapplicable.has(evalCase.evalId)) continue;
    const unit = { setId: plan.evalSet.evalSetId, case: evalCase, repeat: 0 };
    const options = optionsFor(planned, evalCase.evalId);
    // Turns in the history are given and never judged.
    const turns = evalCase.conversation ? evalCase.conversation.length - historyLength(evalCase) : undefined;
    const ask = (number: number) => estimateOf(planned, () => criterion.estimate?.(unit, number, options));
    // The length of a simulated conversation is unknown.
    const [fewest, most] = turns === undefined ? [ask(1), ask(mostTurns(plan))] : [ask(turns), ask(turns)];
    const tokens = fewest.tokens && most.tokens ? { min: fewest.tokens.min, max: most.tokens.max } : undefined;
    estimates.push({ min: fewest.min, max: most.max, tokens });
  }
  const times = (span: Span | null): Span | null =>
    span && { min: span.min * repeats.min, max: span.max * repeats.max };
  const calls = times(sum(estimates));
  const tokens = times(sum(estimates.map((estimate) => estimate.tokens ?? null)));
  return { ...row, calls, tokens, cost: costs(tokens, models, prices) };
}

function estimateOf({ name, criterion }: PlannedCriterion, ask: () => CallEstimate | undefined): CallEstimate {
  try {
    const estimate = ask();
    if (estimate !== undefined) return estimate;
  } catch (error) {
    const message = `the estimate of ${name} (${criterion.origin.package}) threw: ${error instanceof Error ? error.message : String(error)}`;
    throw new CriteriaError({ code: 'INVALID_PLUGIN', message }, { cause: error });
  }
  return { min: 0, max: 0 };
}

function mostTurns(plan: Plan): number {
  return allowedTurns(plan) ?? MOST_TURNS;
}

/** Returns the turn limit of the simulated user, or `null` if it has none or it is unknown. */
function allowedTurns({ simulator }: Plan): number | null {
  const options = simulator?.options;
  const most = typeof options === 'object' && options !== null ? (options as { maxAllowedInvocations?: unknown }) : {};
  const { maxAllowedInvocations: turns } = most;
  return typeof turns === 'number' && Number.isInteger(turns) && turns > 0 ? turns : null;
}

/** Returns the lowest and highest possible cost of tokens, because the shares of input and output are unknown. */
function costs(tokens: Span | null, models: readonly string[], prices: Prices | undefined): Span | null {
  const perToken = models.map((id) => {
    const own = prices !== undefined && Object.hasOwn(prices, id) ? (prices[id] ?? {}) : {};
    return [own.inputTokens, own.outputTokens, own.cachedInputTokens, own.reasoningTokens];
  });
  if (tokens === null || perToken.some(([input, output]) => input === undefined || output === undefined)) return null;
  const all = perToken.flat().filter((price) => price !== undefined);
  if (all.length === 0) return null;
  return { min: tokens.min * Math.min(...all), max: tokens.max * Math.max(...all) };
}

/** Adds up ranges. Returns `null` if any of them is `null`. */
function sum(spans: readonly (Span | null)[]): Span | null {
  let [min, max] = [0, 0];
  for (const span of spans) {
    if (span === null) return null;
    min += span.min;
    max += span.max;
  }
  return { min, max };
}
