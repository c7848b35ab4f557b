import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { CriteriaError, type Plugin } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { knownCriteria } from '@agent-criteria/runner';
import { collectProblems } from '../files/collect-problems.ts';
import { resolveFrom } from '../files/import-module.ts';
import { isPackageName, loadPlugins } from './load-plugins.ts';

/** The keyword in package.json that lets the command import a package to look for criteria. */
export const PLUGIN_KEYWORD = 'agent-criteria-plugin';

/** A package with the plugin keyword. */
export interface PluginPackage {
  readonly name: string;
  /** The folder whose package.json lists it as a dependency. */
  readonly from: string;
}

const OURS = /^@agent-criteria\//;

/**
 * Finds third-party packages that these folders' projects directly depend on and that declare themselves plugins by a
 * keyword. Only package.json files are read; nothing is imported.
 */
export async function pluginPackages(folders: readonly string[]): Promise<readonly PluginPackage[]> {
  const found = new Map<string, PluginPackage>();
  for (const folder of new Set(folders.map((one) => resolve(one)))) {
    const project = await nearestManifest(folder);
    if (project === null) continue;
    const { dependencies, devDependencies, optionalDependencies } = project.manifest;
    const names = [dependencies, devDependencies, optionalDependencies].flatMap((list) =>
      isObject(list) ? Object.keys(list) : [],
    );
    for (const name of names) {
      if (found.has(name) || OURS.test(name) || !isPackageName(name)) continue;
      const { keywords } = (await manifestOf(name, project.folder)) ?? {};
      if (Array.isArray(keywords) && keywords.includes(PLUGIN_KEYWORD)) found.set(name, { name, from: project.folder });
    }
  }
  return [...found.values()];
}

/**
 * Loads the criteria of plugin packages.
 * @throws CriteriaError for each package that does not load, or that has a criterion with the name of one of ours.
 */
export async function loadPluginPackages(packages: readonly PluginPackage[]): Promise<readonly Plugin[]> {
  const found = collectProblems();
  const plugins: Plugin[] = [];
  for (const { name, from } of packages) {
    const entry = `${name}/pure`;
    const loaded = await found.attempt(async () => {
      // Without a `/pure` entry, which registers nothing, a package is imported through its main entry.
      const hasPure = (await resolveFrom(entry, from)) !== undefined;
      const all = await loadPlugins([hasPure ? entry : name], from);
      const criteria = all.filter(({ kind }) => kind === 'criterion');
      for (const criterion of criteria) checkName(criterion.name, name);
      return criteria;
    });
    plugins.push(...(loaded ?? []));
  }
  found.throwIfAny();
  return plugins;
}

/**
 * Rejects a criterion with the name of one of ours, because what a config means would then depend on what is installed.
 * @throws CriteriaError.
 */
function checkName(criterion: string, packageName: string): void {
  const ours = knownCriteria.find(({ name }) => name === criterion)?.package;
  if (ours === undefined) return;
  const message = `${packageName} and ${ours} both have a criterion named "${criterion}": uninstall ${packageName}, or name the one that is meant under "plugins"`;
  throw new CriteriaError({ code: 'DUPLICATE_PLUGIN', message });
}

type Manifest = Readonly<Record<string, unknown>>;

async function nearestManifest(
  folder: string,
): Promise<{ readonly folder: string; readonly manifest: Manifest } | null> {
  const manifest = await readManifest(join(folder, 'package.json'));
  if (manifest !== null) return { folder, manifest };
  return dirname(folder) === folder ? null : nearestManifest(dirname(folder));
}

/** Reads the package.json of a package as a module in `folder` would find it. Returns `null` if it is not installed. */
async function manifestOf(name: string, folder: string): Promise<Manifest | null> {
  const require = createRequire(join(folder, 'importer.js'));
  // Plug'n'Play has no package folders.
  if (process.versions.pnp !== undefined) {
    try {
      return await readManifest(require.resolve(`${name}/package.json`));
    } catch {
      return null;
    }
  }
  for (const place of require.resolve.paths(name) ?? []) {
    const manifest = await readManifest(join(place, name, 'package.json'));
    if (manifest !== null) return manifest;
  }
  return null;
}

async function readManifest(file: string): Promise<Manifest | null> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
