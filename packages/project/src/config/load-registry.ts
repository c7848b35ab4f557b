import type { EvalSet, Plugin } from '@agent-criteria/core';
import {
  createRegistry,
  DEFAULT_CRITERIA,
  defaultRegistry,
  pluginsOf,
  pluginValues,
  type Registry,
} from '@agent-criteria/core/host';
import { type EvalConfig, isObject, mockStrategyOf } from '@agent-criteria/formats';
import { parseEvalConfig } from '@agent-criteria/formats/parse';
import { fieldOf } from '@agent-criteria/formats/schema';
import { knownCriteria, knownProviders, knownSimulators, knownToolSimulators } from '@agent-criteria/runner';
import { collectProblems } from '../files/collect-problems.ts';
import { resolveFrom } from '../files/import-module.ts';
import { loadCustomMetrics } from './custom-metrics.ts';
import { loadPlugins } from './load-plugins.ts';
import { loadPluginPackages, pluginPackages } from './plugin-packages.ts';

/** The names that plugins have to provide, and where to look them up. */
export interface Names {
  readonly evalSet: EvalSet | null;
  /** The eval config, or `null` for ADK's default criteria. */
  readonly config: unknown;
  readonly configFile: string | undefined;
  /**
   * The folder from which packages and paths are resolved. Our own packages are also resolved from the working folder.
   */
  readonly folder: string;
  /** The plugins of the project's config. */
  readonly projectPlugins: readonly Plugin[];
  /**
   * Whether to import installed packages that the config does not name: ours, and those that declare themselves
   * plugins.
   */
  readonly lookAround: boolean;
  /** Additional model providers, created when a model is requested. */
  readonly providers?: (() => Promise<readonly Plugin[]>) | undefined;
  /** The only part of a run that may call models: the criteria or the simulated user. Default: both may. */
  readonly only?: 'scores' | 'inferences' | undefined;
}

/**
 * Builds a registry from the registered plugins, those of the project and the config, our installed packages that
 * provide names in the config, model providers if any model is needed, and the functions of custom metrics.
 * @throws CriteriaError for each plugin and each function that does not load.
 */
export async function loadRegistry(names: Names, registered?: Registry): Promise<Registry> {
  const { config, folder, configFile, projectPlugins } = names;
  const written = typeof config === 'object' && config !== null && 'plugins' in config ? config.plugins : [];
  const values = pluginValues(written);
  const base = registered ?? (values.length > 0 ? createRegistry() : defaultRegistry());
  const named = Array.isArray(written) ? written.filter((name) => typeof name === 'string') : [];
  const found = collectProblems();
  const loaded = await found.attempt(() => loadPlugins(named, folder, configFile));
  const plugins: Plugin[] = [...pluginsOf(base), ...projectPlugins, ...values, ...(loaded ?? [])];
  if (names.lookAround) {
    for (const name of packagesOf(names, createRegistry(plugins))) {
      plugins.push(...((await found.attempt(() => loadInstalled(name, [folder, '.']))) ?? []));
    }
    if (isUnknown(names, createRegistry(plugins))) {
      const others = (await pluginPackages([folder, '.'])).filter(({ name }) => !named.includes(name));
      plugins.push(...((await found.attempt(() => loadPluginPackages(others))) ?? []));
    }
  }
  if (asksModels(names, createRegistry(plugins))) {
    const installed = names.lookAround ? await found.attempt(() => loadProviders([folder, '.'])) : [];
    for (const provider of [...(installed ?? []), ...((await names.providers?.()) ?? [])]) {
      const isPresent = plugins.some(({ kind, name }) => kind === provider.kind && name === provider.name);
      // A provider that the config names takes precedence over one that is merely installed.
      if (!isPresent) plugins.push(provider);
    }
  }
  const functions = await found.attempt(() =>
    loadCustomMetrics(readConfig(config), folder, configFile, createRegistry(plugins)),
  );
  found.throwIfAny();
  return createRegistry([...plugins, ...(functions ?? [])]);
}

/**
 * Loads the plugins of one of our packages from the first of these folders where it is installed. Returns none if it is
 * not installed.
 */
export async function loadInstalled(
  packageName: string,
  folders: readonly string[],
  entry = `${packageName}/pure`,
): Promise<readonly Plugin[]> {
  for (const folder of folders) {
    if ((await resolveFrom(entry, folder)) !== undefined) return loadPlugins([entry], folder);
  }
  return [];
}

/**
 * Loads all our installed providers, each from the first of these folders that has it.
 * @throws CriteriaError for each that does not load.
 */
export async function loadProviders(folders: readonly string[]): Promise<readonly Plugin[]> {
  const found = collectProblems();
  const plugins: Plugin[] = [];
  for (const known of knownProviders) {
    const loaded = await found.attempt(() => loadInstalled(known.package, folders, known.entry));
    plugins.push(...(loaded ?? []).filter(({ kind }) => kind === 'model-provider'));
  }
  found.throwIfAny();
  return plugins;
}

/** Returns the names of the criteria and, if a case has a scenario, of the simulated user. */
function askedFor({ config, evalSet }: Names): {
  readonly criteria: readonly string[];
  readonly simulator: string | null;
  /** The names of the tool simulators that the config or a case names. */
  readonly toolSimulators: readonly string[];
} {
  const { criteria, agentCriteria, userSimulatorConfig } = readConfig(config);
  const isLed = evalSet?.evalCases.some((evalCase) => evalCase.conversationScenario) ?? false;
  return {
    criteria: [...Object.keys(criteria ?? {}), ...(agentCriteria?.measure ?? [])],
    simulator: isLed ? (userSimulatorConfig?.type ?? 'llm_backed') : null,
    toolSimulators: toolSimulatorsOf([agentCriteria, ...(evalSet?.evalCases ?? []).map((one) => one.agentCriteria)]),
  };
}

/** Returns the names of the tool simulators in these `agent_criteria`, as far as they can be read. */
function toolSimulatorsOf(environments: readonly (object | undefined)[]): readonly string[] {
  const stubs = environments.flatMap((one): readonly unknown[] => {
    const listed: unknown = one === undefined ? undefined : fieldOf(one, 'toolSimulationConfigs');
    return Array.isArray(listed) ? listed : [];
  });
  return stubs.filter(isObject).flatMap((stub) => {
    const type = fieldOf(stub, 'mockStrategyType');
    const isWritten = typeof type === 'string' || typeof type === 'number';
    const name = isWritten ? mockStrategyOf({ toolName: '', mockStrategyType: type }) : null;
    return name === null ? [] : [name];
  });
}

/** Finds our packages that provide a named but unregistered plugin. */
function packagesOf(names: Names, present: Registry): ReadonlySet<string> {
  const { criteria, simulator, toolSimulators } = askedFor(names);
  const packages = new Set<string>();
  for (const { name, package: packageName } of knownCriteria) {
    if (criteria.includes(name) && present.get('criterion', name) === undefined) packages.add(packageName);
  }
  const simulatorPackage = simulator === null ? undefined : knownSimulators.get(simulator);
  if (simulator !== null && simulatorPackage && present.get('user-simulator', simulator) === undefined)
    packages.add(simulatorPackage);
  for (const name of toolSimulators) {
    const packageName = knownToolSimulators.get(name);
    if (packageName && present.get('tool-simulator', name) === undefined) packages.add(packageName);
  }
  return packages;
}

/** Whether any named criterion is neither registered nor a function of the config. */
function isUnknown(names: Names, present: Registry): boolean {
  const functions = Object.keys(readConfig(names.config).customMetrics ?? {});
  return askedFor(names).criteria.some(
    (name) => present.get('criterion', name) === undefined && !functions.includes(name),
  );
}

/** Whether a requested criterion or simulated user needs a model. If none does, no provider is loaded. */
function asksModels(names: Names, registry: Registry): boolean {
  const { criteria, simulator, toolSimulators } = askedFor(names);
  const isJudged = criteria.some((name) => registry.get('criterion', name)?.models !== undefined);
  const isLed = simulator !== null && registry.get('user-simulator', simulator)?.models !== undefined;
  const isSimulated = toolSimulators.some((name) => registry.get('tool-simulator', name)?.models !== undefined);
  return (names.only !== 'inferences' && isJudged) || (names.only !== 'scores' && (isLed || isSimulated));
}

function readConfig(config: unknown): EvalConfig {
  if (config === null || config === undefined) return { criteria: { ...DEFAULT_CRITERIA } };
  try {
    // Plugins may be given as values, which the schema of the file does not allow.
    return parseEvalConfig({ ...config, plugins: [] }).value;
  } catch {
    return readableConfig(config); // Resolving reports the mistakes.
  }
}

/** Reads the names in a config that has mistakes, so that their packages are not reported as missing as well. */
function readableConfig(config: object): EvalConfig {
  const {
    criteria,
    user_simulator_config,
    userSimulatorConfig,
    custom_metrics,
    customMetrics,
    agent_criteria,
    agentCriteria,
  } = config as Readonly<Record<string, unknown>>;
  const named = Object.fromEntries(Object.keys(isObject(criteria) ? criteria : {}).map((name) => [name, 0]));
  const parts = [
    { user_simulator_config: user_simulator_config ?? userSimulatorConfig },
    { custom_metrics: custom_metrics ?? customMetrics },
    { agent_criteria: agent_criteria ?? agentCriteria },
  ];
  const read = parts.map((part): EvalConfig => {
    try {
      return parseEvalConfig({ criteria: named, ...part }).value;
    } catch {
      return {};
    }
  });
  return Object.assign({ criteria: named }, ...read);
}
