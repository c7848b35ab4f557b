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
  /** Whether packages of ours may be imported that are installed there, and that nobody has named. */
  readonly lookAround: boolean;
}

/**
 * What is registered already, the plugins that the config names, and the packages of ours that its names come from,
 * where they are installed.
 *
 * @throws CriteriaError for each plugin that does not load.
 */
export async function loadRegistry(names: Names, registered?: Registry): Promise<Registry> {
  const { config, folder, configFile } = names;
  const written = typeof config === 'object' && config !== null && 'plugins' in config ? config.plugins : [];
  const values = pluginValues(written);
  const base = registered ?? (values.length > 0 ? createRegistry(values) : defaultRegistry());
  const named = Array.isArray(written) ? written.filter((name) => typeof name === 'string') : [];
  const plugins: Plugin[] = [...pluginsOf(base), ...(await loadPlugins(named, folder, configFile))];
  if (!names.lookAround) return createRegistry(plugins);

  const present = createRegistry(plugins);
  for (const name of packagesOf(names, present)) {
    for (const from of [folder, '.']) {
      if ((await resolveFrom(`${name}/pure`, from)) === undefined) continue;
      plugins.push(...(await loadPlugins([`${name}/pure`], from)));
      break;
    }
  }
  return createRegistry(plugins);
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
