import { CriteriaError, type Plugin } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { installLine } from '@agent-criteria/runner';
import { collectProblems } from '../files/collect-problems.ts';
import { importFrom, resolveFrom } from '../files/import-module.ts';
import { maskedLoadError } from '../files/masked-load-error.ts';

/**
 * Loads the plugins exported by packages or modules, which are given by package name or by path relative to `folder`.
 *
 * @param file The config that names them, for messages.
 * @param pathOf Returns the config path at which a plugin is named. Default: under `plugins`.
 * @throws CriteriaError INVALID_PLUGIN for each name that does not load or exports no plugin.
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
    const missing = await missingPackage(name, folder);
    const message =
      missing === null
        ? `the plugin "${name}" does not load: ${maskedLoadError(error)}`
        : `the plugin "${name}" is not installed: ${installLine(missing)}`;
    throw new CriteriaError({ code: 'INVALID_PLUGIN', ...where, message }, { cause: error });
  }
  const plugins = Object.values(loaded).filter(isPlugin);
  if (plugins.length > 0) return plugins.map((plugin) => checked(plugin, name, where));
  const bare = Object.entries(loaded).find(([, value]) => isBareCriterion(value))?.[0];
  const advice =
    bare === undefined
      ? 'a plugin package must export its criteria, models or simulators as values'
      : `"${bare}" is a plain object: wrap it in defineCriterion(…), which @agent-criteria/cli and @agent-criteria/core export`;
  throw new CriteriaError({ code: 'INVALID_PLUGIN', ...where, message: `"${name}" exports no plugins: ${advice}` });
}

/**
 * Returns the package that a plugin needs but that is not installed. Returns `null` if the plugin is given by path or
 * its package is installed.
 */
async function missingPackage(name: string, folder: string): Promise<string | null> {
  const found = packageOf(name);
  if (found === null || (await resolveFrom(name, folder)) !== undefined) return null;
  // The package may be installed but lack this entry.
  const isInstalled = found !== name && (await resolveFrom(`${found}/package.json`, folder)) !== undefined;
  return isInstalled ? null : found;
}

/** Checks a plugin as the registry does. @throws CriteriaError with its problems and the config path that names it. */
function checked(plugin: Plugin, name: string, where: { file?: string; path?: string }): Plugin {
  try {
    createRegistry([plugin]);
    return plugin;
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    const problems = error.problems.map((problem) => ({
      ...problem,
      ...where,
      message: `"${name}": ${problem.message}`,
    }));
    throw new CriteriaError(problems, { cause: error });
  }
}

/** Whether a value was probably intended as a criterion. */
function isBareCriterion(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'name' in value && 'evaluate' in value;
}

/** Checks only the shape; the registry checks the rest. */
function isPlugin(value: unknown): value is Plugin {
  return typeof value === 'object' && value !== null && 'kind' in value && 'specVersion' in value && 'origin' in value;
}

/** Matches the package names that npm allows, none of which can lead outside a folder. */
const PACKAGE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

export function isPackageName(name: string): boolean {
  return PACKAGE_NAME.test(name);
}

/** Returns the package that a specifier such as `criteria-tone/pure` refers to, or `null` if it is a path. */
export function packageOf(specifier: string): string | null {
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  return isPackageName(name) ? name : null;
}
