import { dirname } from 'node:path';
import type { Criterion, Plugin, UserSimulator } from '@agent-criteria/core';
import { createRegistry, defaultRegistry, pluginsOf } from '@agent-criteria/core/host';
import { parseEvalConfig } from '@agent-criteria/formats/parse';
import { knownCriteria, knownSimulators } from '@agent-criteria/runner';
import { readJsonFile } from '../files/read-json-file.ts';
import { loadCustomMetrics } from './custom-metrics.ts';
import type { ListCriteriaOptions } from './list-criteria.ts';
import { loadPlugins } from './load-plugins.ts';
import { loadInstalled } from './load-registry.ts';
import { loadPluginPackages, pluginPackages } from './plugin-packages.ts';

/**
 * Loads every criterion that a config may name here: those of our installed packages, of the project, of the plugins
 * and functions that a config names, and of installed packages that declare themselves plugins.
 *
 * @throws CriteriaError for mistakes in the config, and for plugins that do not load.
 */
export async function installedCriteria(options: ListCriteriaOptions = {}): Promise<readonly Criterion[]> {
  const { config, folder = '.' } = options;
  const found = new Map<string, Criterion>();
  const add = (loaded: readonly Plugin[]) => {
    for (const plugin of loaded) {
      if (plugin.kind === 'criterion' && !found.has(plugin.name)) found.set(plugin.name, plugin);
    }
  };
  const named = await namedPlugins(config);
  add(named.plugins);
  if (config !== undefined) {
    add(await loadCustomMetrics(named.value, dirname(config), config, createRegistry(named.plugins)));
  }
  add(presentPlugins(options));
  for (const name of new Set(knownCriteria.map((known) => known.package))) {
    const isMissing = knownCriteria.some((known) => known.package === name && !found.has(known.name));
    if (isMissing) add(await loadInstalled(name, [folder, '.']));
  }
  add(await loadPluginPackages(await pluginPackages([folder, '.'])));
  const order = knownCriteria.map(({ name }) => name);
  const rank = ({ name }: Criterion) => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...found.values()].toSorted((a, b) => rank(a) - rank(b));
}

/**
 * Loads every simulated user that a config may name here.
 * @throws CriteriaError for plugins that do not load.
 */
export async function installedSimulators(options: ListCriteriaOptions = {}): Promise<readonly UserSimulator[]> {
  const { config, folder = '.' } = options;
  const plugins = [...(await namedPlugins(config)).plugins, ...presentPlugins(options)];
  for (const [name, packageName] of knownSimulators) {
    const isPresent = plugins.some((plugin) => plugin.kind === 'user-simulator' && plugin.name === name);
    if (!isPresent) plugins.push(...(await loadInstalled(packageName, [folder, '.'])));
  }
  const simulators = plugins.filter((plugin) => plugin.kind === 'user-simulator');
  // If several simulators have the same name, the first one is used.
  return simulators.filter(({ name }, index) => simulators.findIndex((one) => one.name === name) === index);
}

/** Loads a config and the plugins that it names. */
async function namedPlugins(config: string | undefined) {
  if (config === undefined) return { value: {}, plugins: [] };
  const { value } = parseEvalConfig((await readJsonFile(config)).value, { file: config });
  return { value, plugins: await loadPlugins(value.plugins ?? [], dirname(config), config) };
}

function presentPlugins({ builtIn, plugins = [] }: ListCriteriaOptions): readonly Plugin[] {
  return [...plugins, ...(builtIn?.plugins ?? pluginsOf(defaultRegistry()))];
}
