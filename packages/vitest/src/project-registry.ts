import type { Plugin } from '@agent-criteria/core';
import { createRegistry, defaultRegistry, pluginsOf, type Registry } from '@agent-criteria/core/host';
import { loadPlugins, loadProviders } from '@agent-criteria/project/config';
import { resolveFrom } from '@agent-criteria/project/files';
import { knownCriteria } from '@agent-criteria/runner';

/** Plugins to use in addition to those in a config. */
export interface PluginOptions {
  /** Default: the plugins that the test file and the setup files registered by importing them. */
  readonly registry?: Registry | undefined;
  /** More plugins: values, or names of packages or modules resolved from the folder of the test file. */
  readonly plugins?: readonly (string | Plugin)[] | undefined;
}

/**
 * Returns a registry with the registered plugins, the given plugins and, if installed, our packages with these
 * criteria, plus model providers if one of the criteria asks a model.
 *
 * @throws CriteriaError for each plugin that does not load.
 */
export async function projectRegistry(
  criteria: readonly string[],
  { registry, plugins = [] }: PluginOptions,
  folder: string,
): Promise<Registry> {
  const values = plugins.filter((plugin) => typeof plugin !== 'string');
  const names = plugins.filter((plugin) => typeof plugin === 'string');
  const given = [...pluginsOf(registry ?? defaultRegistry()), ...values, ...(await loadPlugins(names, folder))];
  const known = createRegistry(given);
  for (const name of criteria) {
    const from = knownCriteria.find((criterion) => criterion.name === name)?.package;
    if (from === undefined || known.get('criterion', name) !== undefined) continue;
    for (const plugin of await installed(`${from}/pure`, [folder, '.'])) known.register(plugin);
  }
  if (!criteria.some((name) => known.get('criterion', name)?.models !== undefined)) return known;
  for (const provider of await loadProviders([folder, '.'])) {
    // Explicitly given plugins take precedence over installed ones.
    if (known.get(provider.kind, provider.name) === undefined) known.register(provider);
  }
  return known;
}

/** Loads a package from the first folder that has it. If none does, resolving the config reports how to install it. */
async function installed(entry: string, folders: readonly string[]): Promise<readonly Plugin[]> {
  for (const folder of folders) {
    if ((await resolveFrom(entry, folder)) !== undefined) return loadPlugins([entry], folder);
  }
  return [];
}
