import type { Criterion } from '../contracts/criterion.ts';
import type { LanguageModel } from '../contracts/language-model.ts';
import type { Plugin } from '../contracts/plugin.ts';
import type { UserSimulator } from '../contracts/user-simulator.ts';
import type { CriterionConfig, EvalConfig } from '../data/eval-config.ts';
import type { EvalCase, EvalSet } from '../data/eval-set.ts';
import { parseEvalConfig } from '../data/parse.ts';
import { CriteriaError, type Problem, toErrorInfo } from '../errors.ts';
import { isObject, type Json } from '../json.ts';
import { secretHeaders } from '../model-headers.ts';
import { DEFAULT_JUDGE_MODEL } from '../registry/known-plugins.ts';
import { createRegistry, defaultRegistry, pluginsOf, type Registry } from '../registry/registry.ts';
import { didYouMean } from '../schema/did-you-mean.ts';
import { formatPath } from '../schema/path.ts';
import { formatRange } from '../scoring/sanitise-score.ts';
import { planStubs, STUB_KEYS } from '../stubs/plan-stubs.ts';
import { fittingCriteria, unmetNeed } from './needs.ts';
import { readOptions } from './options.ts';
import { type ModelLookup, optionsFor, type Plan, type PlannedCriterion } from './plan.ts';
import { repeatedRubricIds } from './repeated-rubric-ids.ts';
import {
  isKnownSimulator,
  unknownCriterion,
  unknownCustomMetric,
  unknownModel,
  unknownSimulator,
} from './unknown-name.ts';

/** ADK's criteria where there is no config. */
export const DEFAULT_CRITERIA: Readonly<Record<string, number>> = {
  tool_trajectory_avg_score: 1,
  response_match_score: 0.8,
};

/** As a misspelt key may have been meant. */
const CORE_KEYS = ['threshold', 'min_coverage', 'when_not_applicable'];

export interface ResolveOptions {
  readonly evalSet: EvalSet;
  /** A config as read from a file (any spelling) or from `defineEvalConfig`. Absent or `null`: ADK's default criteria. */
  readonly config?: unknown;
  /** The config's file, for messages. */
  readonly file?: string | undefined;
  /** Where names are looked up, beside the config's own plugins. Default: the default registry, where the config has none. */
  readonly registry?: Registry | undefined;
  /** A model by name; what it does not know is left to registered providers. Default: those only. */
  readonly models?: ModelLookup | undefined;
  /** The names that `models` knows, for messages. */
  readonly modelNames?: readonly string[] | undefined;
  /** Answers come from recordings: nobody looks whether models and services can be reached. Default `false`. */
  readonly modelsRecorded?: boolean | undefined;
  /** What criteria may look for, as `process.env`. Default: nothing is set. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** `'adk'`: the numbers of ADK Python. Default `null`. */
  readonly compat?: 'adk' | null | undefined;
  /** The inferences are recorded already: no simulated user is looked for. Default `false`. */
  readonly scoringOnly?: boolean | undefined;
  /** Nothing is judged yet: models and environment of criteria are not looked for. Default `false`. */
  readonly inferencesOnly?: boolean | undefined;
}

/**
 * Turns a config and an eval set into a plan that can run. Everything is checked here, before any money is spent.
 *
 * @throws CriteriaError with all mistakes at once.
 */
export function resolveEvalConfig(options: ResolveOptions): Plan {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const compat = options.compat ?? null;
  const environment = options.environment ?? {};
  const written = options.config ?? null;
  const registry = registryOf(options.registry, written).freeze();
  const config = written === null ? null : parsed(written, options.file, problems, warnings);
  const unread = problems.length > 0;
  const models = modelLookup(registry, options.models);
  const bare = { options, registry, compat, environment, models, problems, warnings };
  const simulator = options.scoringOnly === true ? null : planSimulator(bare, config);
  const context: Context = { ...bare, simulator };

  const criteria: PlannedCriterion[] = [];
  const entries = config === null ? { ...DEFAULT_CRITERIA } : (config.criteria ?? {});
  const measured = new Set(config?.agentCriteria?.measure ?? []);
  for (const [name, entry] of Object.entries(entries)) {
    // One mistake, told where the function is named.
    if (isUnknownCustomMetric(registry, config, name)) continue;
    const planned = plan(context, name, entry, measured.has(name), formatPath(['criteria', name]));
    if (planned) criteria.push(planned);
  }
  for (const name of measured) {
    if (Object.hasOwn(entries, name) || isUnknownCustomMetric(registry, config, name)) continue;
    const planned = plan(context, name, {}, true, '$.agent_criteria.measure');
    if (planned) criteria.push(planned);
  }
  if (Object.keys(entries).length + measured.size === 0 && !unread) {
    problems.push(
      problem(
        context,
        'EMPTY',
        'the config names no criterion, so nothing would be judged: name one under "criteria"',
        '$.criteria',
      ),
    );
  }
  if (config !== null) checkTheRest(context, config, entries);
  const { toolSimulationConfigs = [] } = config?.agentCriteria ?? {};
  const stubs = planStubs(options.evalSet, toolSimulationConfigs, options.file, problems);
  checkCases(context, criteria);
  if (problems.length > 0) throw new CriteriaError(problems);
  warnOfNeeds(context, criteria, entries);
  return { evalSet: options.evalSet, config, criteria, simulator, stubs, models, compat, warnings };
}

interface Context extends BareContext {
  readonly simulator: Plan['simulator'];
}

interface BareContext {
  readonly options: ResolveOptions;
  readonly registry: Registry;
  readonly compat: 'adk' | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly models: ModelLookup;
  readonly problems: Problem[];
  readonly warnings: Problem[];
}

/** The registry given, or the default one where the config brings no plugins of its own; with those that it brings. */
function registryOf(given: Registry | undefined, config: unknown): Registry {
  const values = isObject(config) ? pluginValues(config.plugins) : [];
  if (values.length === 0) return given ?? defaultRegistry();
  return createRegistry([...(given === undefined ? [] : pluginsOf(given)), ...values]);
}

/** The plugins that stand in a config as values; names of packages are for whoever can load them. */
export function pluginValues(plugins: unknown): readonly Plugin[] {
  // The registry looks at each before it takes it.
  const isValue = (plugin: unknown): plugin is Plugin => isObject(plugin);
  return Array.isArray(plugins) ? plugins.filter(isValue) : [];
}

/** The config as parsed. Of one with mistakes, the criteria without: their mistakes belong into the same error. */
function parsed(config: unknown, file: string | undefined, problems: Problem[], warnings: Problem[]): EvalConfig {
  try {
    const result = parseEvalConfig(withoutPluginValues(config), { file });
    warnings.push(...result.warnings);
    return result.value;
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    problems.push(...error.problems);
  }
  const written = isObject(config) && isObject(config.criteria) ? Object.entries(config.criteria) : [];
  return {
    criteria: Object.fromEntries(written.flatMap(([name, entry]) => Object.entries(readEntry(name, entry) ?? {}))),
  };
}

function readEntry(name: string, entry: unknown): EvalConfig['criteria'] {
  try {
    return parseEvalConfig({ criteria: { [name]: entry } }).value.criteria;
  } catch {
    return {}; // Told already, with the whole config.
  }
}

/** Plugins that are values are no JSON, and are read before. */
function withoutPluginValues(config: unknown): unknown {
  if (!isObject(config) || !Array.isArray(config.plugins)) return config;
  return { ...config, plugins: config.plugins.filter((plugin) => !isObject(plugin)) };
}

/**
 * A model as the caller has it, else of the first registered provider that accepts its name; made once. Where nobody says
 * who judges, it is ADK's default model.
 */
function modelLookup(registry: Registry, given: ModelLookup | undefined): ModelLookup {
  const made = new Map<string, LanguageModel | undefined>();
  return (name) => {
    const model = given?.(name);
    if (model !== undefined) return model;
    const asked = name === 'judge' ? DEFAULT_JUDGE_MODEL : name;
    if (asked !== name) {
      const own = given?.(asked);
      if (own !== undefined) return own;
    }
    if (!made.has(asked)) {
      const provider = registry.list('model-provider').find((candidate) => candidate.accepts(asked));
      made.set(asked, provider?.create(asked, {}));
    }
    return made.get(asked);
  };
}

/** What code of somebody else says. A throw, or an answer of another type, is one more mistake to tell. */
function ask<T>(
  context: BareContext,
  path: string,
  what: string,
  work: () => T,
  isGood: (answer: T) => boolean,
): T | undefined {
  try {
    const answer = work();
    if (isGood(answer)) return answer;
    context.problems.push(problem(context, 'INVALID_PLUGIN', `${what} gave something else than it promises`, path));
  } catch (error) {
    context.problems.push(problem(context, 'INVALID_PLUGIN', `${what} threw: ${toErrorInfo(error).message}`, path));
  }
  return undefined;
}

function plan(
  context: Context,
  name: string,
  entry: number | CriterionConfig,
  measured: boolean,
  path: string,
): PlannedCriterion | null {
  const criterion = context.registry.get('criterion', name);
  if (criterion === undefined) {
    context.problems.push(problem(context, 'UNKNOWN_CRITERION', unknownCriterion(context.registry, name), path));
    return null;
  }
  const before = context.problems.length;
  const gates = criterion.gates && !measured;
  const { threshold, minCoverage, whenNotApplicable, agentCriteria, ...own } =
    typeof entry === 'number' ? { threshold: entry } : entry;
  checkThreshold(context, criterion, threshold, gates, path);
  if (minCoverage !== undefined && !(minCoverage > 0 && minCoverage <= 1)) {
    const message = `min_coverage must be above 0 and at most 1, not ${minCoverage}`;
    context.problems.push(problem(context, 'INVALID_OPTION', message, `${path}.min_coverage`));
  }
  const nested = agentCriteria ?? {};
  const read = readOptions(criterion, { ...own, ...nested }, path, context.options.file, {}, CORE_KEYS);
  context.problems.push(...read.problems);
  const caseOptions = new Map<string, unknown>();
  for (const [index, evalCase] of context.options.evalSet.evalCases.entries()) {
    const ofCase = evalCase.agentCriteria ?? {};
    if (!Object.hasOwn(ofCase, name)) continue;
    const more = ofCase[name];
    const place = formatPath(['eval_cases', index, 'agent_criteria', name]);
    if (!isObject(more)) {
      context.problems.push({
        code: 'INVALID_OPTION',
        message: `the options of ${name} for a case must be an object, as { "option": value }`,
        path: place,
      });
      continue;
    }
    const forCase = readOptions(criterion, more, place, undefined, read.written);
    context.problems.push(...forCase.problems);
    caseOptions.set(evalCase.evalId, forCase.value);
  }
  if (context.problems.length > before) return null;

  const planned: PlannedCriterion = {
    name,
    criterion,
    gates,
    threshold: gates ? (threshold ?? null) : null,
    minCoverage: minCoverage ?? 1,
    whenNotApplicable: whenNotApplicable ?? 'not-evaluated',
    options: read.value,
    caseOptions,
    inapplicable: inapplicableCases(context, criterion, read.value, caseOptions, path),
    written: JSON.parse(JSON.stringify(entry)) as Json,
  };
  const repeated = repeatedRubricIds(criterion, (id) => optionsFor(planned, id), context.options.evalSet.evalCases);
  if (repeated !== null) context.problems.push(problem(context, 'DUPLICATE_ID', repeated, path));
  checkCollaborators(context, planned, path);
  return planned;
}

function checkThreshold(
  context: Context,
  criterion: Criterion,
  threshold: number | undefined,
  gates: boolean,
  path: string,
): void {
  const { name, range } = criterion;
  if (!gates) {
    if (threshold === undefined) return;
    const why = criterion.gates ? 'it is named under agent_criteria.measure' : 'it only measures';
    const message = `${name} takes no threshold: ${why}, so it decides nothing; remove the threshold`;
    context.problems.push(problem(context, 'INVALID_THRESHOLD', message, path));
    return;
  }
  if (threshold === undefined) {
    const message = `${name} needs a threshold between ${range.min} and ${range.max ?? 'infinity'}`;
    context.problems.push(problem(context, 'INVALID_THRESHOLD', message, path));
  } else if (!Number.isFinite(threshold) || threshold < range.min || (range.max !== null && threshold > range.max)) {
    const percent = range.max === 1 && threshold > 1 && threshold <= 100 ? `; did you mean ${threshold / 100}?` : '';
    const message = `the threshold ${threshold} is outside the range of ${name}, ${formatRange(range)}${percent}`;
    context.problems.push(problem(context, 'INVALID_THRESHOLD', message, path));
  }
}

/** Which cases the criterion cannot apply to; an error when it is all of them. */
function inapplicableCases(
  context: Context,
  criterion: Criterion,
  options: unknown,
  caseOptions: ReadonlyMap<string, unknown>,
  path: string,
): ReadonlyMap<string, string> {
  const cases = context.options.evalSet.evalCases;
  const reasons = new Map<string, string>();
  for (const evalCase of cases) {
    const own = caseOptions.has(evalCase.evalId) ? caseOptions.get(evalCase.evalId) : options;
    const reason = unmetNeed(criterion, own, evalCase, context.compat);
    if (reason !== null) reasons.set(evalCase.evalId, reason);
  }
  if (cases.length === 0 || reasons.size < cases.length) return reasons;
  const { evalSetId } = context.options.evalSet;
  const why = `${criterion.name} applies to no case of the eval set "${evalSetId}": ${[...reasons.values()][0]}`;
  // Told once, however many criteria do not fit.
  const isTold = context.problems.some(({ code }) => code === 'NEEDS_UNMET');
  const message = isTold ? why : `${why}. ${whatFits(context, cases)}`;
  context.problems.push(problem(context, 'NEEDS_UNMET', message, path));
  return reasons;
}

function whatFits({ registry, compat, options }: Context, cases: readonly EvalCase[]): string {
  const fitting = fittingCriteria(registry, cases, compat);
  const isDefault = (options.config ?? null) === null;
  return isDefault ? `${fitting}. Name them in test_config.json: agent-criteria init proposes one` : fitting;
}

/** Which criteria do not apply everywhere, and what lets the other cases be judged all the same. */
function warnOfNeeds(
  context: Context,
  criteria: readonly PlannedCriterion[],
  entries: Readonly<Record<string, unknown>>,
): void {
  const cases = context.options.evalSet.evalCases;
  const deciding = criteria.filter(({ gates }) => gates);
  const unjudged = cases.filter(({ evalId }) => deciding.every(({ inapplicable }) => inapplicable.has(evalId)));
  let isTold = false;
  for (const { name, gates, inapplicable, whenNotApplicable, written } of criteria) {
    if (inapplicable.size === 0) continue;
    const then: string[] = [];
    if (gates && unjudged.length < inapplicable.size) then.push(howToSkip(name, whenNotApplicable, written));
    if (gates && unjudged.length > 0 && !isTold) {
      const which = `"${unjudged[0]?.evalId}"${unjudged.length > 1 ? ` and ${unjudged.length - 1} more` : ''}`;
      then.push(`nothing decides about ${which}, which will be not evaluated. ${whatFits(context, unjudged)}`);
      isTold = true;
    }
    const why = `${name} does not apply to ${inapplicable.size} of ${cases.length} cases (${[...inapplicable.values()][0]})`;
    const path = Object.hasOwn(entries, name) ? formatPath(['criteria', name]) : '$.agent_criteria.measure';
    const message = then.length === 0 ? why : `${why}: ${then.join('; ')}`;
    context.warnings.push(problem(context, 'NEEDS_UNMET', message, path));
  }
}

/** What becomes of cases that a criterion does not apply to, and the entry that lets others judge them. */
function howToSkip(name: string, now: PlannedCriterion['whenNotApplicable'], written: Json): string {
  if (now === 'skip') return 'they stand on their other criteria';
  const own = typeof written === 'number' ? { threshold: written } : written;
  const isShort = isObject(own) && Object.keys(own).join() === 'threshold';
  const key = '"when_not_applicable": "skip"';
  const entry = isShort ? `"${name}": { "threshold": ${own.threshold}, ${key} }` : `${key} on ${name}`;
  return `they will be not evaluated; ${entry} lets them stand on their other criteria`;
}

/** Models and environment, for the config's options and for those of each case. */
function checkCollaborators(context: Context, planned: PlannedCriterion, path: string): void {
  const { criterion } = planned;
  if (context.options.inferencesOnly === true) return;
  const { simulator: led } = context;
  const simulator = led === null ? null : { name: led.simulator.name, options: led.options };
  for (const options of new Set([planned.options, ...planned.caseOptions.values()])) {
    checkModels(context, criterion, options, path);
    const found = ask(
      context,
      path,
      `check of ${criterion.name} (${criterion.origin.package})`,
      () => criterion.check?.(options, context.environment, { simulator }) ?? [],
      (problems) => Array.isArray(problems) && problems.every((one) => typeof one?.message === 'string'),
    );
    context.problems.push(...(found ?? []).map((one) => placed(one, path, context.options.file)));
    if (context.options.modelsRecorded === true) continue;
    const access = ask(
      context,
      path,
      `access of ${criterion.name} (${criterion.origin.package})`,
      () => criterion.access?.(options, context.environment).problems ?? [],
      (problems) => Array.isArray(problems) && problems.every((one) => typeof one?.message === 'string'),
    );
    context.problems.push(...(access ?? []).map((one) => placed(one, path, context.options.file)));
  }
}

/** Every model that the options name must be there. */
function checkModels(context: BareContext, plugin: Criterion | UserSimulator, options: unknown, path: string): void {
  const names = ask(
    context,
    path,
    `models of ${plugin.name} (${plugin.origin.package})`,
    () => plugin.models?.(options) ?? [],
    (answer) => Array.isArray(answer) && answer.every((name) => typeof name === 'string'),
  );
  for (const name of names ?? []) {
    const before = context.problems.length;
    const model = ask(
      context,
      path,
      `the provider of the model "${name}"`,
      () => context.models(name),
      () => true,
    );
    if (context.problems.length > before) continue;
    if (model === undefined) {
      const message = `${plugin.name}: ${unknownModel(context.registry, name, context.options.modelNames ?? [])}`;
      context.problems.push(problem(context, 'UNKNOWN_MODEL', message, path));
      continue;
    }
    checkSettings(context, plugin, model, options, path);
    if (context.options.modelsRecorded === true) continue;
    const access = ask(
      context,
      path,
      `access of the model "${model.id}"`,
      () => model.access?.(context.environment).problems ?? [],
      (problems) => Array.isArray(problems) && problems.every((one) => typeof one?.message === 'string'),
    );
    context.problems.push(...(access ?? []).map((one) => placed(one, path, context.options.file)));
  }
}

const KEPT =
  'a config is kept with every run and shown in reports; give the header to the model itself, in agent-criteria.config';

/** What a model refuses now, it would refuse in every call. */
function checkSettings(
  context: BareContext,
  plugin: Criterion | UserSimulator,
  model: LanguageModel,
  options: unknown,
  path: string,
): void {
  if (plugin.modelSettings === undefined) return;
  const tell = (message: string): void => {
    context.problems.push(problem(context, 'INVALID_OPTION', `the model "${model.id}": ${message}`, path));
  };
  try {
    const settings = plugin.modelSettings(options);
    for (const name of secretHeaders(settings)) tell(`the header "${name}" holds a secret, and ${KEPT}`);
    model.checkSettings?.(settings);
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    for (const { message } of error.problems) tell(message);
  }
}

/** The parts of a config that are no criterion. */
function checkTheRest(context: Context, config: EvalConfig, entries: Readonly<Record<string, unknown>>): void {
  for (const [name, metric] of Object.entries(config.customMetrics ?? {})) {
    const path = formatPath(['custom_metrics', name]);
    if (!Object.hasOwn(entries, name) && !config.agentCriteria?.measure?.includes(name)) {
      const message = `the custom metric "${name}" would never run: name it in "criteria" too, with a threshold`;
      context.problems.push(problem(context, 'INVALID_CONFIG', message, path));
    } else if (isUnknownCustomMetric(context.registry, config, name)) {
      const message = unknownCustomMetric(name, metric.codeConfig.name);
      context.problems.push(problem(context, 'UNKNOWN_CRITERION', message, path));
    }
  }
  if (config.liveModelConfig) {
    const message = 'live runs are not supported: remove live_model_config to evaluate the agent turn by turn';
    context.problems.push(problem(context, 'INVALID_CONFIG', message, '$.live_model_config'));
  }
}

function isUnknownCustomMetric(registry: Registry, config: EvalConfig | null, name: string): boolean {
  return Object.hasOwn(config?.customMetrics ?? {}, name) && registry.get('criterion', name) === undefined;
}

function planSimulator(context: BareContext, config: EvalConfig | null): Plan['simulator'] {
  const scenarios = context.options.evalSet.evalCases.filter((evalCase) => evalCase.conversationScenario);
  const first = scenarios[0];
  const { type, ...own } = config?.userSimulatorConfig ?? {};
  const name = type ?? 'llm_backed';
  if (first === undefined) {
    // Nobody needs it here, but a name that means nothing is a slip all the same.
    const means = context.registry.get('user-simulator', name) !== undefined || isKnownSimulator(name);
    if (!means) {
      const message = unknownSimulator(context.registry, name, null);
      context.problems.push(problem(context, 'UNKNOWN_SIMULATOR', message, '$.user_simulator_config.type'));
    }
    return null;
  }
  const simulator = context.registry.get('user-simulator', name);
  if (simulator === undefined) {
    context.problems.push({
      code: 'UNKNOWN_SIMULATOR',
      message: unknownSimulator(context.registry, name, { caseId: first.evalId, count: scenarios.length }),
    });
    return null;
  }
  const read = readOptions(simulator, own, '$.user_simulator_config', context.options.file);
  context.problems.push(...read.problems);
  if (read.problems.length > 0) return null;
  checkModels(context, simulator, read.value, '$.user_simulator_config');
  for (const [index, { conversationScenario }] of context.options.evalSet.evalCases.entries()) {
    if (!conversationScenario) continue;
    const path = formatPath(['eval_cases', index, 'conversation_scenario']);
    const found = ask(
      context,
      path,
      `check of ${simulator.name} (${simulator.origin.package})`,
      () => simulator.check?.(conversationScenario, read.value) ?? [],
      (problems) => Array.isArray(problems) && problems.every((one) => typeof one?.message === 'string'),
    );
    context.problems.push(...(found ?? []).map((one) => placed(one, path)));
  }
  return { simulator, options: read.value };
}

/** Ids must differ, and what stands under `agent_criteria` of a case must be options of a criterion. */
function checkCases(context: Context, criteria: readonly PlannedCriterion[]): void {
  const registered = [...criteria, ...context.registry.list('criterion')].map(({ name }) => name);
  const names = new Set([...registered, ...STUB_KEYS]);
  const ids = new Set<string>();
  for (const [index, { evalId, agentCriteria }] of context.options.evalSet.evalCases.entries()) {
    if (ids.has(evalId)) {
      const message = `two cases of the eval set have the id "${evalId}"; give every case its own`;
      context.problems.push({ code: 'DUPLICATE_ID', message, path: formatPath(['eval_cases', index, 'eval_id']) });
    }
    ids.add(evalId);
    for (const name of isObject(agentCriteria) ? Object.keys(agentCriteria) : []) {
      if (names.has(name)) continue;
      const message = `"${name}" is no registered criterion${didYouMean(name, names)}`;
      const path = formatPath(['eval_cases', index, 'agent_criteria', name]);
      context.problems.push({ code: 'UNKNOWN_CRITERION', message, path });
    }
  }
}

/** A problem that a plugin found, where it found it; else where the plugin is configured. */
function placed(found: Problem, at: string, configFile?: string): Problem {
  const { path = at, file = configFile, ...rest } = found;
  return { path, file, ...rest };
}

function problem(context: BareContext, code: Problem['code'], message: string, path: string): Problem {
  return { code, message, path, file: context.options.file };
}
