import { resolve } from 'node:path';
import { CriteriaError, type Plugin } from '@agent-criteria/core';
import { importFrom } from './import-module.ts';

/**
 * The plugins that packages or modules export, by package name or by path relative to `folder`.
 * @throws CriteriaError naming each one that does not load or brings no plugin.
 */
export async function loadPlugins(names: readonly string[], folder: string): Promise<Plugin[]> {
  const plugins: Plugin[] = [];
  for (const name of names) {
    let loaded: Record<string, unknown>;
    try {
      loaded = await importFrom(name, resolve(folder, 'importer.js'));
    } catch (error) {
      const message = `the plugin "${name}" does not load from ${folder}: ${error instanceof Error ? error.message : String(error)}`;
      throw new CriteriaError({ code: 'INVALID_PLUGIN', message }, { cause: error });
    }
    const found = Object.values(loaded).filter(isPlugin);
    if (found.length === 0) {
      const message = `"${name}" exports no plugin: a plugin package exports its criteria, models or simulators as values`;
      throw new CriteriaError({ code: 'INVALID_PLUGIN', message });
    }
    plugins.push(...found);
  }
  return plugins;
}

/** Looks only; the registry checks. */
function isPlugin(value: unknown): value is Plugin {
  return typeof value === 'object' && value !== null && 'kind' in value && 'specVersion' in value && 'origin' in value;
}
