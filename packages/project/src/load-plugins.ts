import { CriteriaError, type Plugin } from '@agent-criteria/core';
import { collectProblems } from './collect-problems.ts';
import { describeLoadError, importFrom } from './import-module.ts';

/**
 * The plugins that packages or modules export, by package name or by path relative to `folder`.
 *
 * @param file The config that names them, for messages.
 * @param pathOf Where it names them. Default: under `plugins`.
 * @throws CriteriaError INVALID_PLUGIN for each that does not load or exports no plugin.
 */
export async function loadPlugins(
  names: readonly string[],
  folder: string,
  file?: string,
  pathOf: (index: number) => string = (index) => `$.plugins[${index}]`,
): Promise<Plugin[]> {
  const found = collectProblems();
  const plugins: Plugin[] = [];
  for (const [index, name] of names.entries()) {
    const where = file === undefined ? {} : { file, path: pathOf(index) };
    plugins.push(...((await found.attempt(() => pluginsOf(name, folder, where))) ?? []));
  }
  found.throwIfAny();
  return plugins;
}

async function pluginsOf(name: string, folder: string, where: { file?: string; path?: string }): Promise<Plugin[]> {
  let loaded: Record<string, unknown>;
  try {
    loaded = await importFrom(name, folder);
  } catch (error) {
    const message = `the plugin "${name}" does not load: ${describeLoadError(error)}`;
    throw new CriteriaError({ code: 'INVALID_PLUGIN', ...where, message }, { cause: error });
  }
  const plugins = Object.values(loaded).filter(isPlugin);
  if (plugins.length > 0) return plugins;
  const message = `"${name}" exports no plugins: a plugin package must export its criteria, models or simulators as values`;
  throw new CriteriaError({ code: 'INVALID_PLUGIN', ...where, message });
}

/** Looks only; the registry checks. */
function isPlugin(value: unknown): value is Plugin {
  return typeof value === 'object' && value !== null && 'kind' in value && 'specVersion' in value && 'origin' in value;
}
