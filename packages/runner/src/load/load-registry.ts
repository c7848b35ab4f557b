import {
  createRegistry,
  DEFAULT_CRITERIA,
  defaultRegistry,
  type EvalConfig,
  type EvalSet,
  knownCriteria,
  knownSimulators,
  type Plugin,
  parseEvalConfig,
  pluginsOf,
  pluginValues,
  type Registry,
} from '@agent-criteria/core';
import { collectProblems } from './collect-problems.ts';
import { loadCustomMetrics } from './custom-metrics.ts';
import { resolveFrom } from './import-module.ts';
import { loadPlugins } from './load-plugins.ts';

/** Where names are written that plugins must answer for. */
export interface Names {
  readonly evalSet: EvalSet | null;
  /** `null`: ADK's default criteria. */
  readonly config: unknown;
  readonly configFile: string | undefined;
  /** Where packages and paths are looked up from; packages of ours also from the working folder. */
  readonly folder: string;
  /** The plugins of the project's config. */
  readonly projectPlugins: readonly Plugin[];
  /** Whether packages of ours may be imported that are installed there, and that nobody has named. */
  readonly lookAround: boolean;
}

/**
 * What is registered already, the plugins of the project and those that the config names, the packages of ours that its
 * names come from, where they are installed, and the functions of its custom metrics.
 *
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
  }
  const functions = await found.attempt(() =>
    loadCustomMetrics(readConfig(config), folder, configFile, createRegistry(plugins)),
  );
  found.throwIfAny();
  return createRegistry([...plugins, ...(functions ?? [])]);
}

/** The plugins of a package of ours from the first of these folders where it is installed; none where it is in none. */
export async function loadInstalled(packageName: string, folders: readonly string[]): Promise<readonly Plugin[]> {
  const entry = `${packageName}/pure`;
  for (const folder of folders) {
    if ((await resolveFrom(entry, folder)) !== undefined) return loadPlugins([entry], folder);
  }
  return [];
}

/** The packages of ours that bring what the names ask for and nobody has registered. */
function packagesOf({ config, evalSet }: Names, present: Registry): ReadonlySet<string> {
  const { criteria, agentCriteria, userSimulatorConfig } = readConfig(config);
  const asked = [...Object.keys(criteria ?? {}), ...(agentCriteria?.measure ?? [])];
  const packages = new Set<string>();
  for (const { name, package: packageName } of knownCriteria) {
    if (asked.includes(name) && present.get('criterion', name) === undefined) packages.add(packageName);
  }
  const simulator = userSimulatorConfig?.type ?? 'llm_backed';
  const needed = evalSet?.evalCases.some((evalCase) => evalCase.conversationScenario) ?? false;
  const simulatorPackage = knownSimulators.get(simulator);
  if (needed && simulatorPackage && present.get('user-simulator', simulator) === undefined)
    packages.add(simulatorPackage);
  return packages;
}

function readConfig(config: unknown): EvalConfig {
  if (config === null || config === undefined) return { criteria: { ...DEFAULT_CRITERIA } };
  try {
    // Plugins may stand there as values, which are no part of the file format.
    return parseEvalConfig({ ...config, plugins: [] }).value;
  } catch {
    return {}; // Resolving tells what is wrong, with everything else.
  }
}
