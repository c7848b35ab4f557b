import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { ConfigPlugins } from '@agent-criteria/core/eval-set';
import { type CaseResult, checkOptions, type Plan, type Summary } from '@agent-criteria/core/host';
import type { RunCall, RunCase, RunInference } from '@agent-criteria/results';
import { type AgentInput, toAgent } from './agent-input.ts';
import { type AgentOption, agentsOf } from './agent-option.ts';
import { type Executed, summaryOf } from './execute.ts';
import { holdCases } from './journal/hold-cases.ts';
import type { PlannedSet } from './planned-set.ts';
import { type RunOptions, runThrough } from './run.ts';
import { openRun } from './run-folder/open-run.ts';
import { planSetOptions, requiredOfSet, type SetOptions, setOptionNames } from './set-options.ts';
import { checkRunSettings, pickRunSettings, type RunSettings, runSettingNames } from './settings.ts';
import { type AgentVariant, isVariants, toNamedAgents, variantNames } from './variants.ts';

/** What to evaluate, by what, and how. */
export type EvaluateOptions<Plugins extends ConfigPlugins = ConfigPlugins> = AgentOption<AgentInput> &
  EvaluateSettings<Plugins>;

/** All of `evaluate` but the agents. */
export interface EvaluateSettings<Plugins extends ConfigPlugins = ConfigPlugins>
  extends SetOptions<Plugins>,
    RunSettings {
  /** What criteria may look for, and the variables whose secrets are masked. Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** How often each case runs. Default 1. */
  readonly repeats?: number | undefined;
  /**
   * Where everything is kept too, so that the run survives this process: a new folder, or that of the same run, which is
   * then continued. Default: nothing is kept.
   */
  readonly folder?: string | undefined;
}

/** What an evaluation came to, and all it was made of. Plain JSON, less the plan. */
export interface Evaluation extends Summary {
  readonly setId: string;
  /** In case order; with variants, each case once for each of them. */
  readonly cases: readonly CaseResult[];
  /** Of each agent, where several ran side by side. */
  readonly variants?: Executed['variants'];
  /** In the order of the cases. */
  readonly inferences: readonly RunInference[];
  /** Calls to models and paid services; in any order. */
  readonly calls: readonly RunCall[];
  /** Whether everything was done. */
  readonly finished: boolean;
  /** What ended it early, if something did: a full disk, the time of the run. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly plan: Plan;
}

/**
 * Runs an agent, or several side by side, on an eval set and scores what they did: resolve, generate, score, summarise. Everything
 * is a value here; paths and names are for `evaluate` of `@agent-criteria/project`.
 *
 * @throws CriteriaError with every mistake in the set, the config and the agent, before the agent runs.
 */
export async function evaluate<const Plugins extends ConfigPlugins>(
  options: EvaluateOptions<Plugins>,
): Promise<Evaluation> {
  checkOptions(options, evaluateOptionNames, requiredOfSet);
  const { config, ...rest } = options;
  checkRunSettings(options);
  const asked: AgentInput | readonly AgentVariant[] = agentsOf<AgentInput>(options);
  checkValues(options);
  const set = await planSetOptions({ ...rest, config }, { prices: options.prices });
  const agent = isVariants(asked) ? toNamedAgents(asked, options.registry) : toAgent(asked, options.registry);
  return evaluateSet(set, { ...pickRunSettings(options), agent, repeats: options.repeats, folder: options.folder });
}

const evaluateOptionNames = {
  ...setOptionNames,
  ...runSettingNames,
  agent: true,
  variants: true,
  repeats: true,
  folder: true,
} as const satisfies Record<keyof EvaluateOptions, true>;

/** A path may come from plain JavaScript. */
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

/** Runs and scores one set that is planned already. */
export async function evaluateSet(set: PlannedSet, options: Omit<RunOptions, 'sets' | 'journal'>): Promise<Evaluation> {
  const { repeats = 1 } = options;
  const { plan, warnings = plan.warnings } = set;
  const held = holdCases(set);
  const { outcome, isNew } = await runThrough({ ...options, sets: [set], repeats }, held.in);
  const record = isNew ? held.cases(repeats, namesOf(options.agent)) : await casesOf(outcome.folder);
  const cases = record.map(({ result }) => result);
  return {
    setId: plan.evalSet.evalSetId,
    ...summaryOf(cases, outcome.problems),
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

function namesOf(agent: RunOptions['agent']): readonly string[] {
  return isVariants(agent) ? variantNames(agent) : [];
}

/** Also what earlier starts of the run have done. */
async function casesOf(folder: string | null): Promise<RunCase[]> {
  const cases: RunCase[] = [];
  if (folder !== null) for await (const one of openRun(folder).cases()) cases.push(one);
  return cases;
}
