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
 * Every criterion that a config may name here, loaded: ours that are installed, those of the project, of the plugins and functions
 * that a config names, and of installed packages that say that they are plugins.
 *
 * @throws CriteriaError with the mistakes of the config, and for plugins that do not load.
 */
export async function installedCriteria(options: ListCriteriaOptions = {}): Promise<readonly Criterion[]> {
  const { config, folder = '.', builtIn, plugins = [] } = options;
  const found = new Map<string, Criterion>();
  const add = (loaded: readonly Plugin[]) => {
    for (const plugin of loaded) {
      if (plugin.kind === 'criterion' && !found.has(plugin.name)) found.set(plugin.name, plugin);
    }
  };
  if (config !== undefined) {
    const { value } = parseEvalConfig((await readJsonFile(config)).value, { file: config });
    const own = createRegistry(await loadPlugins(value.plugins ?? [], dirname(config), config));
    add(own.list('criterion'));
    add(await loadCustomMetrics(value, dirname(config), config, own));
  }
  add(plugins);
  add(builtIn?.plugins ?? pluginsOf(defaultRegistry()));
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
 * Every simulated user that a config may name here, loaded, as `installedCriteria` finds criteria.
 * @throws CriteriaError for plugins that do not load.
 */
export async function installedSimulators(options: ListCriteriaOptions = {}): Promise<readonly UserSimulator[]> {
  const { config, folder = '.', builtIn, plugins = [] } = options;
  const found = new Map<string, UserSimulator>();
  const add = (loaded: readonly Plugin[]) => {
    for (const plugin of loaded) {
      if (plugin.kind === 'user-simulator' && !found.has(plugin.name)) found.set(plugin.name, plugin);
    }
  };
  if (config !== undefined) {
    const { plugins: named = [] } = parseEvalConfig((await readJsonFile(config)).value, { file: config }).value;
    add(await loadPlugins(named, dirname(config), config));
  }
  add(plugins);
  add(builtIn?.plugins ?? pluginsOf(defaultRegistry()));
  for (const [name, packageName] of knownSimulators) {
    if (!found.has(name)) add(await loadInstalled(packageName, [folder, '.']));
  }
  return [...found.values()];
}
