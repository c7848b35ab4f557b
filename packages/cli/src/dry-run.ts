import { type CallEstimate, CriteriaError } from '@agent-criteria/core';
import { optionsFor, type Plan, type PlannedCriterion } from '@agent-criteria/core/host';
import { type CallOptions, callSettings, plannedModels, replays } from '@agent-criteria/project';
import { safe, table } from '@agent-criteria/report/terminal';
import type { Prices } from '@agent-criteria/results';
import { type Io, painter } from './io.ts';
import { openPolicies } from './open-policies.ts';
import type { PreparedSet } from './plan-sets.ts';
import { printJson } from './print-json.ts';
import type { Project } from './project.ts';

/** What a simulated conversation may have of turns where nobody says it, as in ADK. */
const MOST_TURNS = 20;

export interface DryRunOptions {
  readonly sets: readonly PreparedSet[];
  readonly project: Project;
  readonly repeats: number;
  readonly json: boolean;
}

/** From the fewest to the most. */
interface Span {
  readonly min: number;
  readonly max: number;
}

interface Row {
  readonly set: string;
  /** Who asks. */
  readonly role: 'criterion' | 'user';
  /** The name of the criterion, or of the simulator. */
  readonly criterion: string;
  readonly models: readonly string[];
  /** `null`: the criterion does not say. */
  readonly calls: Span | null;
  readonly tokens: Span | null;
  readonly cost: Span | null;
}

/** Tells what judges would be asked, runs nothing, and gives the exit code. */
export async function dryRun(options: DryRunOptions, io: Io): Promise<number> {
  const { sets, project, repeats, json } = options;
  const plans = sets.map(({ plan }) => plan);
  // A run with the same flags would be refused here.
  const policies = await openPolicies({
    plans,
    project,
    calls: readOnly(project),
    onEvent: nothing,
    onDead: nothing,
  });
  await policies?.close();
  const { prices, maxCalls, maxTokens, maxCost } = callSettings(project.config);
  const budget = { maxCalls, maxTokens, maxCost };
  const rows = plans.flatMap((plan) => [
    ...userRows(plan, repeats),
    ...plan.criteria.map((planned) => rowOf(plan, planned, repeats, prices)),
  ]);
  const asking = rows.filter(({ calls: made }) => made === null || made.max > 0);
  const total = {
    calls: sum(asking.map((row) => row.calls)),
    tokens: sum(asking.map((row) => row.tokens)),
    cost: sum(asking.map((row) => row.cost)),
  };
  const led = rows.some(({ role }) => role === 'user');
  if (json) {
    const [users, criteria] = [true, false].map((user) => rows.filter(({ role }) => (role === 'user') === user));
    printJson({ criteria, users, total, budget, simulatedUsers: led }, io);
    return 0;
  }
  const { dim, bold } = painter(io);
  if (asking.length === 0) io.out('No criterion asks a model: judging makes no calls and costs nothing.\n');
  else {
    const header = ['eval set', 'criterion', 'model', 'calls', 'tokens', 'cost'].map((text) => ({ text, paint: dim }));
    const cells = asking.map((row) => [
      ...[safe(row.set), safe(row.criterion), row.models.map(safe).join(', ')].map((text) => ({ text })),
      ...figures(row).map((text) => ({ text })),
    ]);
    const sums = ['', 'all', '', ...figures(total)].map((text) => ({ text, paint: bold }));
    io.out(`${table([header, ...cells, ...(asking.length > 1 ? [sums] : [])])}\n`);
    io.out(
      'From the fewest calls that can decide to all samples, without retries; answers that are kept already cost nothing.\n',
    );
    if (total.cost === null)
      io.out('Costs are unknown without a price for every model: "prices" in agent-criteria.config.\n');
  }
  if (led)
    io.out(
      'Of simulated users: one call for every message but the first, up to max_allowed_invocations of their config.\n',
    );
  io.out('Nothing was run, and what the agent itself calls is not counted.\n');
  return 0;
}

function nothing(): void {}

/** The same, without a file that is made. */
function readOnly({ config }: Project): CallOptions {
  return { cache: false, recording: replays(config) ? undefined : { mode: 'off' } };
}

/** What the simulated user asks: who ends when, nobody knows. */
function userRows(plan: Plan, repeats: number): Row[] {
  const { simulator, evalSet } = plan;
  if (simulator?.simulator.models === undefined) return [];
  const led = evalSet.evalCases.filter(({ conversationScenario }) => conversationScenario).length * repeats;
  const models = [...new Set(plannedModels([{ ...plan, criteria: [] }]).map(({ model }) => model.id))];
  const turns = allowedTurns(plan);
  const calls = turns === null ? null : { min: led * Math.min(turns - 1, 1), max: led * (turns - 1) };
  const name = `${simulator.simulator.name} (the user)`;
  // How much of a conversation it reads, nobody knows either.
  return [{ set: evalSet.evalSetId, role: 'user', criterion: name, models, calls, tokens: null, cost: null }];
}

function rowOf(plan: Plan, planned: PlannedCriterion, repeats: number, prices: Prices | undefined): Row {
  const { name, criterion } = planned;
  const alone = { ...plan, criteria: [planned], simulator: null };
  const models = [...new Set(plannedModels([alone]).map(({ model }) => model.id))];
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
    const turns = evalCase.conversation?.length;
    const ask = (number: number) => estimateOf(planned, () => criterion.estimate?.(unit, number, options));
    // How long a simulated conversation becomes, nobody knows.
    const [fewest, most] = turns === undefined ? [ask(1), ask(mostTurns(plan))] : [ask(turns), ask(turns)];
    const tokens = fewest.tokens && most.tokens ? { min: fewest.tokens.min, max: most.tokens.max } : undefined;
    estimates.push({ min: fewest.min, max: most.max, tokens });
  }
  const times = (span: Span | null): Span | null => span && { min: span.min * repeats, max: span.max * repeats };
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

/** How many messages the simulated user may send; `null` where it knows no limit, or nobody can tell. */
function allowedTurns({ simulator }: Plan): number | null {
  const options = simulator?.options;
  const most = typeof options === 'object' && options !== null ? (options as { maxAllowedInvocations?: unknown }) : {};
  const { maxAllowedInvocations: turns } = most;
  return typeof turns === 'number' && Number.isInteger(turns) && turns > 0 ? turns : null;
}

/** What so many tokens cost at least and at most: nobody knows yet which are sent and which received. */
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

/** `null` where one of them is. */
function sum(spans: readonly (Span | null)[]): Span | null {
  let [min, max] = [0, 0];
  for (const span of spans) {
    if (span === null) return null;
    min += span.min;
    max += span.max;
  }
  return { min, max };
}

function figures({ calls, tokens, cost }: Pick<Row, 'calls' | 'tokens' | 'cost'>): string[] {
  return [spanText(calls), spanText(tokens), spanText(cost)];
}

function spanText(span: Span | null): string {
  if (span === null) return 'unknown';
  const [min, max] = [figure(span.min), figure(span.max)];
  return min === max ? min : `${min} to ${max}`;
}

/** Digits in groups of three; of an amount, two that say something. */
function figure(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString('en-US');
  return value >= 1 ? value.toFixed(2) : String(Number(value.toPrecision(2)));
}
