import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { ConfigPlugins } from '@agent-criteria/core/eval-set';
import { type CaseResult, checkOptions, type Plan, type Summary } from '@agent-criteria/core/host';
import type { RunCall, RunCase, RunInference } from '@agent-criteria/results';
import { type AgentInput, type AgentOption, agentsOf, readyAgents, runAgents } from './agents.ts';
import { type Executed, summariseRun } from './execute.ts';
import { collectCases } from './journal/collect-cases.ts';
import { type PlannedSet, planSet, requiredOfSet, type SetOptions, setOptionNames } from './planned-set.ts';
import { type RunOptions, runThrough } from './run.ts';
import { openRun } from './run-folder/open-run.ts';
import { checkRunSettings, pickRunSettings, type RunSettings, runSettingNames } from './settings.ts';

export type EvaluateOptions<Plugins extends ConfigPlugins = ConfigPlugins> = AgentOption & EvaluateSettings<Plugins>;

/** All options of `evaluate` except the agents. */
export interface EvaluateSettings<Plugins extends ConfigPlugins = ConfigPlugins>
  extends SetOptions<Plugins>,
    RunSettings {
  /** The environment that criteria may read, and whose secrets are masked. Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** How many times each case runs. Default 1. */
  readonly repeats?: number | undefined;
  /**
   * The folder where everything is stored, so that the run survives this process. It must be new, or belong to the same
   * run, which is then resumed. Default: nothing is stored.
   */
  readonly folder?: string | undefined;
}

/** The result of an evaluation, with everything it is based on. Plain JSON, except for the plan. */
export interface Evaluation extends Summary {
  readonly setId: string;
  /** In case order. With variants, each case appears once per variant. */
  readonly cases: readonly CaseResult[];
  /** One summary per agent, if several ran side by side. */
  readonly variants?: Executed['variants'];
  /** In case order. */
  readonly inferences: readonly RunInference[];
  /** Calls to models and paid services, in any order. */
  readonly calls: readonly RunCall[];
  /** Whether everything was done. */
  readonly finished: boolean;
  /** Why the evaluation ended early, such as a full disk or the run's time limit. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly plan: Plan;
}

/**
 * Runs one or several agents on an eval set and scores what they did: resolve, generate, score, summarise. All options
 * are values. For paths and names, use `evaluate` from `@agent-criteria/project`.
 *
 * @throws CriteriaError for mistakes in the set, the config or the agent, before the agent runs.
 */
export async function evaluate<const Plugins extends ConfigPlugins>(
  options: EvaluateOptions<Plugins>,
): Promise<Evaluation> {
  checkOptions(options, evaluateOptionNames, requiredOfSet);
  checkRunSettings(options);
  agentsOf<AgentInput>(options);
  checkValues(options);
  const { agent, variants, repeats, folder, ...judged } = options;
  const set = await planSet(judged, { prices: options.prices });
  const agents = runAgents(await readyAgents({ agent, variants }, options.registry));
  return evaluateSet(set, { ...pickRunSettings(options), ...agents, repeats, folder });
}

const evaluateOptionNames = {
  ...setOptionNames,
  ...runSettingNames,
  agent: true,
  variants: true,
  repeats: true,
  folder: true,
} as const satisfies Record<keyof EvaluateOptions, true>;

/** Rejects paths, which the types forbid but plain JavaScript can pass. */
function checkValues({
  agent,
  variants = {},
  evalSet,
  config,
}: { readonly [Name in 'agent' | 'evalSet' | 'config']?: unknown } & {
  readonly variants?: Readonly<Record<string, unknown>> | undefined;
}): void {
  const named = Object.entries(variants).map(([name, value]) => [`variants.${name}`, value] as const);
  const texts = [...Object.entries({ agent, evalSet, config }), ...named].filter(
    ([, value]) => typeof value === 'string',
  );
  if (texts.length === 0) return;
  throw new CriteriaError(
    texts.map(([name]) => ({
      code: 'USAGE',
      message: `${name} is a string: to use a path, import evaluate from @agent-criteria/project`,
    })),
  );
}

/** Runs and scores one set that has already been planned. */
export async function evaluateSet(set: PlannedSet, options: Omit<RunOptions, 'sets' | 'journal'>): Promise<Evaluation> {
  const { repeats = 1 } = options;
  const { plan, warnings = plan.warnings } = set;
  const collected = collectCases(set);
  const { outcome, isNew } = await runThrough({ ...options, sets: [set], repeats }, collected.in);
  const names = outcome.variants?.map(({ variant }) => variant) ?? [];
  const record = isNew ? collected.cases(repeats, names) : await casesIn(outcome.folder);
  const cases = record.map(({ result }) => result);
  return {
    setId: plan.evalSet.evalSetId,
    ...summariseRun(cases, outcome.problems),
    cases,
    ...(outcome.variants && { variants: outcome.variants }),
    plan,
    inferences: record.flatMap(({ inferences }) => inferences),
    calls: record.flatMap(({ calls = [] }) => calls),
    warnings: [...warnings, ...outcome.warnings],
    finished: outcome.finished,
    problems: outcome.problems,
  };
}

/** Reads all cases of a resumed run, including those from earlier starts. */
async function casesIn(folder: string | null): Promise<RunCase[]> {
  const cases: RunCase[] = [];
  if (folder !== null) for await (const one of openRun(folder).cases()) cases.push(one);
  return cases;
}
