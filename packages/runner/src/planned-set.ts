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

/** An eval set of a run: its plan, and its files. */
export interface PlannedSet {
  readonly plan: Plan;
  /** `null`: a value, not a file. */
  readonly file: string | null;
  /** `null`: ADK's default criteria, or a config that is a value. */
  readonly configFile: string | null;
  /** Warnings about the files. Default: those of the plan. */
  readonly warnings?: readonly Problem[] | undefined;
}

/** An eval set and the config that it is judged by, as values. */
export interface SetOptions<Plugins extends ConfigPlugins = ConfigPlugins> {
  /**
   * An eval set, with the keys of TypeScript or of ADK's files, or eval cases: a list or an iterable. Values that were read
   * from JSON may have any format that a file may have, including those older than eval sets.
   */
  readonly evalSet: EvalSetSource;
  /** The id of a set that is given as cases and has none of its own. Default `cases`. */
  readonly evalSetId?: string | undefined;
  /** Only these case ids. Absent or empty: all. */
  readonly cases?: readonly string[] | undefined;
  /** A config in the form of a file, or from `defineEvalConfig`. Default: ADK's default criteria. */
  readonly config?: EvalConfigInput<Plugins> | null | undefined;
  /** The registry for names. Default: the config's own plugins if they are values, else the default registry. */
  readonly registry?: Registry | undefined;
  /** Finds a model by name; `judge` is the one that judges. Default: models of registered providers. */
  readonly models?: ModelLookup | undefined;
  /** The environment that criteria may read. Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** `'adk'`: the numbers of ADK Python, including its quirks. Default: our own numbers. */
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

/** One of several sets, each with a config of its own. */
export interface SetToRun<Plugins = ConfigPlugins> extends Omit<SetOptions, 'config'> {
  /** A config in the form of a file, or from `defineEvalConfig`. Default: ADK's default criteria. */
  readonly config?: EvalConfigInput<Plugins extends ConfigPlugins ? Plugins : ConfigPlugins> | null | undefined;
}

/** An eval set and its config, resolved: `resolveEvalConfig` of `@agent-criteria/core/host` creates one. */
export interface PlanOption {
  readonly plan: Plan;
}

/** A set as options give it; its plugins matter only to the compiler. */
interface UnplannedSet extends Omit<SetOptions, 'config'> {
  readonly config?: unknown;
}

/** Resolves a set, unless it already has a plan. @param how Prices of the run, which criteria may read; and what will be done. */
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

/** Resolves the sets of a run that have no plan yet. Each gets an id of its own. */
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

/** Rejects unknown and missing options of a plan or a set. @param settings All other options. @param required Those of them that are required. */
export function checkPlanOptions(
  options: object,
  settings: Readonly<Record<string, true>>,
  required: Readonly<Record<string, string>> = {},
): void {
  const hasPlan = typeof options === 'object' && options !== null && 'plan' in options;
  if (hasPlan) checkOptions(options, { plan: true, ...settings }, required);
  else checkOptions(options, { ...setOptionNames, ...settings }, { ...requiredOfSet, ...required });
}

/** The number of cases in all sets together. */
export function countCases(sets: readonly PlannedSet[]): number {
  return sets.reduce((sum, { plan }) => sum + plan.evalSet.evalCases.length, 0);
}

/** Gives each set an id of its own: the second "home" is "home (2)" in this run. (ADK stops at the second.) */
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

/**
 * Gives sets the ids that a run has recorded for them. Sets with the same name are distinguished by their files.
 */
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

/** "home (2)" is an id of "home". */
function isIdOf(id: string, name: string): boolean {
  return id === name || (id.startsWith(`${name} (`) && /^\(\d+\)$/.test(id.slice(name.length + 1)));
}

function withId<Set extends PlannedSet>(set: Set, id: string): Set {
  const { evalSet } = set.plan;
  if (id === evalSet.evalSetId) return set;
  return { ...set, plan: { ...set.plan, evalSet: { ...evalSet, evalSetId: id } } };
}
