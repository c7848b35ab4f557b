import type { ConfigPlugins, EvalConfigInput, EvalSetSource } from '@agent-criteria/core/eval-set';
import { type ModelLookup, type Registry, resolveEvalConfig } from '@agent-criteria/core/host';
import { type Prices, tokenPrices } from '@agent-criteria/results';
import { pluginAdvice } from './advice/plugin-advice.ts';
import { evalSetFrom } from './eval-set-from.ts';
import type { PlannedSet } from './planned-set.ts';
import { selectCases } from './select-cases.ts';

/** An eval set and what it is judged by, as values. */
export interface SetOptions<Plugins extends ConfigPlugins = ConfigPlugins> {
  /**
   * An eval set, with the keys of TypeScript or of ADK's files, or eval cases: a list, or one by one. What was read from
   * JSON may have any format that a file may have, those before eval sets too.
   */
  readonly evalSet: EvalSetSource;
  /** The id of a set that is given as cases, and so has none of its own. Default `cases`. */
  readonly evalSetId?: string | undefined;
  /** Only these case ids. Absent or empty: all. */
  readonly cases?: readonly string[] | undefined;
  /** A config as a file has it, or from `defineEvalConfig`. Default: ADK's default criteria. */
  readonly config?: EvalConfigInput<Plugins> | null | undefined;
  /** Where names are looked up. Default: the config's own plugins where it has values, else the default registry. */
  readonly registry?: Registry | undefined;
  /** A model by name; `judge` is the one that judges. Default: what registered providers make. */
  readonly models?: ModelLookup | undefined;
  /** What criteria may look for. Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** `'adk'`: the numbers of ADK Python. Default `null`. */
  readonly compat?: 'adk' | null | undefined;
}

export const setOptionNames = {
  evalSet: true,
  evalSetId: true,
  cases: true,
  config: true,
  registry: true,
  models: true,
  environment: true,
  compat: true,
} as const satisfies Record<keyof SetOptions, true>;

export const requiredOfSet = { evalSet: 'an eval set, or a list of eval cases' } as const;

/** A set among others, each with a config of its own. */
export interface SetToRun<Plugins = ConfigPlugins> extends Omit<SetOptions, 'config'> {
  /** A config as a file has it, or from `defineEvalConfig`. Default: ADK's default criteria. */
  readonly config?: EvalConfigInput<Plugins extends ConfigPlugins ? Plugins : ConfigPlugins> | null | undefined;
}

/** A set as options give it; its plugins matter only to the compiler. */
export interface UnplannedSet extends Omit<SetOptions, 'config'> {
  readonly config?: unknown;
}

/** What a set is resolved with. */
export interface HowToPlan {
  /** Those of the run, which criteria may take. */
  readonly prices?: Prices | undefined;
  /** Which half of the work is to be done, where it is not both. */
  readonly scoringOnly?: boolean | undefined;
  readonly inferencesOnly?: boolean | undefined;
}

/** Resolves a set. */
export async function planSetOptions(options: UnplannedSet, { prices, ...half }: HowToPlan = {}): Promise<PlannedSet> {
  const { cases, config, registry, models, environment = process.env, compat } = options;
  const loaded = await evalSetFrom(options.evalSet, options.evalSetId);
  const evalSet = selectCases(loaded.value, cases);
  const advice = pluginAdvice;
  const chosenFrom = loaded.value.evalCases;
  const plan = resolveEvalConfig({
    evalSet,
    chosenFrom,
    config,
    registry,
    models,
    environment,
    compat,
    advice,
    settings: { prices: tokenPrices(prices) },
    ...half,
  });
  return { plan, file: null, configFile: null, warnings: [...loaded.warnings, ...plan.warnings] };
}
