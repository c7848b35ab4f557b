import type { Problem } from '@agent-criteria/core';
import type { ConfigPlugins, EvalConfigInput, EvalSetSource } from '@agent-criteria/core/eval-set';
import {
  checkOptions,
  type ModelLookup,
  type Plan,
  type Registry,
  type ResolveOptions,
  resolveEvalConfig,
} from '@agent-criteria/core/host';
import { type Prices, tokenPrices } from '@agent-criteria/results';
import { pluginAdvice } from './advice/plugin-advice.ts';
import { shownPath } from './paths.ts';
import { evalSetFrom, selectCases } from './read-eval-set.ts';
import type { RunSettings } from './settings.ts';

/** An eval set to run: its plan and its files. */
export interface PlannedSet {
  readonly plan: Plan;
  /** The file, or `null` if the set is a value. */
  readonly file: string | null;
  /** The config file, or `null` for ADK's default criteria or a config that is a value. */
  readonly configFile: string | null;
  /** Warnings about the files. Default: the plan's warnings. */
  readonly warnings?: readonly Problem[] | undefined;
}

/** An eval set and the config to judge it by, as values. */
export interface SetOptions<Plugins extends ConfigPlugins = ConfigPlugins> {
  /**
   * An eval set, with keys as in TypeScript or in ADK's files, or a list or iterable of eval cases. Values read from
   * JSON may be in any format that a file may have, including formats older than eval sets.
   */
  readonly evalSet: EvalSetSource;
  /** The id to use for bare cases without an id of their own. Default `cases`. */
  readonly evalSetId?: string | undefined;
  /** Only these case ids. If absent or empty, all cases. */
  readonly cases?: readonly string[] | undefined;
  /** A config in the file format, or from `defineEvalConfig`. Default: ADK's default criteria. */
  readonly config?: EvalConfigInput<Plugins> | null | undefined;
  /**
   * The registry that resolves names. Default: the config's own plugins if they are values, otherwise the default
   * registry.
   */
  readonly registry?: Registry | undefined;
  /** Looks up a model by name; `judge` is the one that judges. Default: the models of registered providers. */
  readonly models?: ModelLookup | undefined;
  /** The environment that criteria may read. Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** `'adk'` to get the same numbers as ADK Python, including its quirks. Default: our own numbers. */
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

/** One of several sets, each with its own config. */
export interface SetToRun<Plugins = ConfigPlugins> extends Omit<SetOptions, 'config'> {
  /** A config in the file format, or from `defineEvalConfig`. Default: ADK's default criteria. */
  readonly config?: EvalConfigInput<Plugins extends ConfigPlugins ? Plugins : ConfigPlugins> | null | undefined;
}

/** A resolved eval set and config, as created by `resolveEvalConfig` from `@agent-criteria/core/host`. */
export interface PlanOption {
  readonly plan: Plan;
}

/** A set as given in options. Its plugins only matter to the compiler. */
interface UnplannedSet extends Omit<SetOptions, 'config'> {
  readonly config?: unknown;
}

/**
 * Resolves a set, unless it already has a plan.
 * @param how The run's prices, which criteria may read, and whether the run is limited to scoring or to inferences.
 */
export async function planSet(
  given: PlanOption | UnplannedSet,
  { prices, ...half }: Pick<ResolveOptions, 'scoringOnly' | 'inferencesOnly'> & Pick<RunSettings, 'prices'> = {},
): Promise<PlannedSet> {
  if ('plan' in given) return { plan: given.plan, file: null, configFile: null };
  const { cases, config, registry, models, environment = process.env, compat } = given;
  const loaded = await evalSetFrom(given.evalSet, given.evalSetId);
  const plan = resolveEvalConfig({
    evalSet: selectCases(loaded.value, cases),
    chosenFrom: loaded.value.evalCases,
    config,
    registry,
    models,
    environment,
    compat,
    advice: pluginAdvice,
    settings: { prices: tokenPrices(prices) },
    ...half,
  });
  return { plan, file: null, configFile: null, warnings: [...loaded.warnings, ...plan.warnings] };
}

/** Resolves those sets of a run that have no plan yet. Gives each a unique id. */
export async function planSets(
  sets: readonly (PlannedSet | UnplannedSet)[],
  prices: Prices | undefined,
): Promise<readonly PlannedSet[]> {
  const planned: PlannedSet[] = [];
  for (const set of sets) {
    if (!('plan' in set)) checkOptions(set, setOptionNames, requiredOfSet);
    planned.push('plan' in set ? set : await planSet(set, { prices }));
  }
  return withUniqueIds(planned);
}

/**
 * Rejects unknown and missing options for a plan or a set.
 * @param settings All other options.
 * @param required Which of those are required.
 */
export function checkPlanOptions(
  options: object,
  settings: Readonly<Record<string, true>>,
  required: Readonly<Record<string, string>> = {},
): void {
  const hasPlan = typeof options === 'object' && options !== null && 'plan' in options;
  if (hasPlan) checkOptions(options, { plan: true, ...settings }, required);
  else checkOptions(options, { ...setOptionNames, ...settings }, { ...requiredOfSet, ...required });
}

/** Counts the cases in all sets. */
export function countCases(sets: readonly PlannedSet[]): number {
  return sets.reduce((sum, { plan }) => sum + plan.evalSet.evalCases.length, 0);
}

/** Gives each set a unique id: within this run, the second "home" becomes "home (2)". (ADK fails on the second.) */
export function withUniqueIds<Set extends PlannedSet>(sets: readonly Set[]): Set[] {
  const taken = new Set<string>();
  return sets.map((set) => {
    const { evalSet } = set.plan;
    let id = evalSet.evalSetId;
    for (let count = 2; taken.has(id); count++) id = `${evalSet.evalSetId} (${count})`;
    taken.add(id);
    return withId(set, id);
  });
}

/** Gives sets the ids that a run recorded for them. Sets with the same name are told apart by their files. */
export function reuseSetIds<Set extends PlannedSet>(
  recorded: readonly { readonly id: string; readonly file: string | null }[],
  sets: readonly Set[],
): Set[] {
  const left = [...recorded];
  const named = sets.map((set) => {
    const { evalSetId } = set.plan.evalSet;
    const file = shownPath(set.file);
    const index = left.findIndex((one) => one.file !== null && one.file === file && isIdOf(one.id, evalSetId));
    const [found] = index === -1 ? [] : left.splice(index, 1);
    return found === undefined ? set : withId(set, found.id);
  });
  return withUniqueIds(named);
}

/** Whether an id was derived from a name, as "home (2)" is from "home". */
function isIdOf(id: string, name: string): boolean {
  return id === name || (id.startsWith(`${name} (`) && /^\(\d+\)$/.test(id.slice(name.length + 1)));
}

function withId<Set extends PlannedSet>(set: Set, id: string): Set {
  const { evalSet } = set.plan;
  if (id === evalSet.evalSetId) return set;
  return { ...set, plan: { ...set.plan, evalSet: { ...evalSet, evalSetId: id } } };
}
