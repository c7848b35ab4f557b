import {
  CriteriaError,
  type EvalConfig,
  GROUP_KEY,
  isObject,
  mistakeInGroup,
  mistakeInTags,
  type Problem,
  TAGS_KEY,
} from '@agent-criteria/formats';
import {
  CALLS_NOT_STATED_KEYS,
  HISTORY_KEY,
  mistakesInTurnMarks,
  parseEvalConfig,
} from '@agent-criteria/formats/parse';
import { didYouMean, formatPath } from '@agent-criteria/formats/schema';
import type { Plugin } from '../contracts/plugin.ts';
import { createRegistry, defaultRegistry, pluginsOf, type Registry } from '../registry/registry.ts';
import { ENVIRONMENT_KEYS } from '../stubs/environment-keys.ts';
import { planEnvironments } from '../stubs/plan-environments.ts';
import { planStubs } from '../stubs/plan-stubs.ts';
import { leaveOutDefaults } from './leave-out-defaults.ts';
import { modelLookup } from './model-lookup.ts';
import type { Plan, PlannedCriterion } from './plan.ts';
import { planCriterion } from './plan-criterion.ts';
import { planSimulator } from './plan-simulator.ts';
import { explainUnknown } from './plugin-advice.ts';
import { type Context, problem } from './resolve-context.ts';
import type { ResolveOptions } from './resolve-options.ts';
import { warnOfNeeds, warnOfNothing } from './warn-of-needs.ts';

/** The criteria and thresholds that ADK uses if there is no config. */
export const DEFAULT_CRITERIA: Readonly<Record<string, number>> = {
  tool_trajectory_avg_score: 1,
  response_match_score: 0.8,
};

/**
 * Resolves a config and an eval set to a runnable plan, and checks both before the first paid call.
 *
 * @throws CriteriaError with all mistakes.
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

  const planned: PlannedCriterion[] = [];
  const entries = config === null ? { ...DEFAULT_CRITERIA } : (config.criteria ?? {});
  const measured = new Set(config?.agentCriteria?.measure ?? []);
  for (const [name, entry] of Object.entries(entries)) {
    // Reported once, at `custom_metrics`.
    if (isUnknownCustomMetric(registry, config, name)) continue;
    const one = planCriterion(context, name, entry, measured.has(name), formatPath(['criteria', name]));
    if (one) planned.push(one);
  }
  for (const name of measured) {
    if (Object.hasOwn(entries, name) || isUnknownCustomMetric(registry, config, name)) continue;
    const one = planCriterion(context, name, {}, true, '$.agent_criteria.measure');
    if (one) planned.push(one);
  }
  const criteria = config === null ? [...leaveOutDefaults(context, planned)] : planned;
  for (const { name, measuredByDefault } of registry.list('criterion')) {
    if (measuredByDefault !== true || Object.hasOwn(entries, name) || measured.has(name)) continue;
    const one = planCriterion(context, name, {}, true, '$.criteria');
    if (one) criteria.push({ ...one, byDefault: true });
  }
  if (Object.keys(entries).length + measured.size === 0 && !unread) {
    problems.push(
      problem(
        context,
        'EMPTY',
        'the config has no criteria, so nothing would be judged: add one under "criteria"',
        '$.criteria',
      ),
    );
  }
  if (config !== null) checkTheRest(context, config, entries);
  const { stubs, configs } = planStubs(options.evalSet, config?.agentCriteria ?? {}, options.file, problems);
  const environments = planEnvironments(bare, configs);
  checkCases(context, criteria);
  if (problems.length > 0) throw new CriteriaError(problems);
  warnOfNeeds(context, criteria, entries);
  if (compat === null) warnOfNothing(context, criteria);
  return { evalSet: options.evalSet, config, criteria, simulator, stubs, environments, models, compat, warnings };
}

/** Adds the config's plugins to the given registry. If neither is given, returns the default registry. */
function registryOf(given: Registry | undefined, config: unknown): Registry {
  const values = isObject(config) ? pluginValues(config.plugins) : [];
  if (values.length === 0) return given ?? defaultRegistry();
  return createRegistry([...(given === undefined ? [] : pluginsOf(given)), ...values]);
}

/** Lists the plugins that a config holds as values. Package names are left to callers, which can load them. */
export function pluginValues(plugins: unknown): readonly Plugin[] {
  // The registry checks their contents.
  const isValue = (plugin: unknown): plugin is Plugin => isObject(plugin);
  return Array.isArray(plugins) ? plugins.filter(isValue) : [];
}

/**
 * Parses a config. If it has mistakes, returns its valid criteria, so that further mistakes are found in the same pass.
 */
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
    return {}; // Already reported along with the whole config.
  }
}

function withoutPluginValues(config: unknown): unknown {
  if (!isObject(config) || !Array.isArray(config.plugins)) return config;
  return { ...config, plugins: config.plugins.filter((plugin) => !isObject(plugin)) };
}

/** Checks the parts of a config other than the criteria. */
function checkTheRest(context: Context, config: EvalConfig, entries: Readonly<Record<string, unknown>>): void {
  for (const [name, metric] of Object.entries(config.customMetrics ?? {})) {
    const path = formatPath(['custom_metrics', name]);
    if (!Object.hasOwn(entries, name) && !config.agentCriteria?.measure?.includes(name)) {
      const message = `the custom metric "${name}" would never run: add it to "criteria" too, with a threshold`;
      context.problems.push(problem(context, 'INVALID_CONFIG', message, path));
    } else if (isUnknownCustomMetric(context.registry, config, name)) {
      const unknown = { kind: 'custom-metric', name, function: metric.codeConfig.name } as const;
      const message = explainUnknown(unknown, context.registry, context.options.advice);
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

/** The keys under a case's `agent_criteria` that do not name a criterion. */
const CASE_KEYS = [...ENVIRONMENT_KEYS, TAGS_KEY, GROUP_KEY, HISTORY_KEY, ...CALLS_NOT_STATED_KEYS];

/** Checks that case ids are unique, and that the keys under the cases' `agent_criteria` are known. */
function checkCases(context: Context, criteria: readonly PlannedCriterion[]): void {
  const registered = [...criteria, ...context.registry.list('criterion')].map(({ name }) => name);
  const names = new Set([...registered, ...CASE_KEYS]);
  const used = new Set([...criteria.map(({ name }) => name), ...CASE_KEYS]);
  const unused = new Map<string, number[]>();
  const ids = new Set<string>();
  for (const [index, evalCase] of context.options.evalSet.evalCases.entries()) {
    const { evalId, agentCriteria } = evalCase;
    if (ids.has(evalId)) {
      const message = `two cases of the eval set have the id "${evalId}"; give each case its own id`;
      context.problems.push({ code: 'DUPLICATE_ID', message, path: formatPath(['eval_cases', index, 'eval_id']) });
    }
    ids.add(evalId);
    if (!isObject(agentCriteria)) continue;
    for (const [key, message] of [
      [TAGS_KEY, mistakeInTags(agentCriteria)],
      [GROUP_KEY, mistakeInGroup(agentCriteria)],
      ...mistakesInTurnMarks(evalCase),
    ] as const) {
      if (message === null) continue;
      const path = formatPath(['eval_cases', index, 'agent_criteria', key]);
      context.problems.push({ code: 'INVALID_DATA', message, path });
    }
    for (const name of Object.keys(agentCriteria)) {
      if (names.has(name) && !used.has(name)) unused.set(name, [...(unused.get(name) ?? []), index]);
      if (names.has(name)) continue;
      const message = `"${name}" is not a registered criterion${didYouMean(name, names)}`;
      const path = formatPath(['eval_cases', index, 'agent_criteria', name]);
      context.problems.push({ code: 'UNKNOWN_CRITERION', message, path });
    }
  }
  // Options for a criterion that the config does not name are probably a mistake.
  for (const [name, indexes] of unused) {
    const what = `${indexes.length} of ${context.options.evalSet.evalCases.length} cases have options for ${name}`;
    const message = `${what}, which does not judge them: the config does not name it. Add it under "criteria"`;
    const path = formatPath(['eval_cases', indexes[0] ?? 0, 'agent_criteria', name]);
    context.warnings.push({ code: 'INVALID_CONFIG', message, path });
  }
}
