import { dirname, join } from 'node:path';
import { CriteriaError, type Criterion, type Plugin, type Problem } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { parseEvalConfig } from '@agent-criteria/formats/parse';
import { type KnownCriterion, knownCriteria } from '@agent-criteria/runner';
import { collectProblems } from '../files/collect-problems.ts';
import { findEvalConfig } from '../files/find-eval-config.ts';
import { resolveFrom } from '../files/import-module.ts';
import { readJsonFile } from '../files/read-json-file.ts';
import { loadPlugins } from './load-plugins.ts';
import type { BuiltIn } from './open-project.ts';
import { loadPluginPackages, pluginPackages } from './plugin-packages.ts';

/** A criterion as listed in the documentation. */
export interface ListedCriterion {
  readonly name: string;
  readonly package: string;
  /** Whether the project can use it without installing anything. */
  readonly installed: boolean;
  readonly description: string;
  readonly referenceBased: boolean;
  readonly needsRubrics: boolean;
  readonly judgedByModel: boolean;
  readonly simulatedUsers: boolean;
  /** For example, `0 to 1` or `from 0 up`. */
  readonly range: string;
  /** Its threshold if there is no config, or `null` if it is not used then. */
  readonly default: number | null;
}

export interface ListCriteriaOptions {
  /**
   * The file of an eval config, whose plugins' criteria are also listed. Default: the config that judges eval sets in
   * the folder, if any; mistakes in it become warnings.
   */
  readonly config?: string | undefined;
  /** The eval config file that a project names, used if the folder has none. Default: none. */
  readonly projectConfig?: string | undefined;
  /** The folder from which to resolve packages. Default: the working folder. */
  readonly folder?: string | undefined;
  readonly builtIn?: BuiltIn | undefined;
  /** The project's plugins, whose criteria are also listed. Default: none. */
  readonly plugins?: readonly Plugin[] | undefined;
}

/**
 * Lists every criterion of agent-criteria, installed or not, then those of the project, of a config's plugins and of
 * installed plugin packages.
 * @throws CriteriaError for mistakes in a given config, and for its plugins that do not load.
 */
export async function listCriteria(
  options: ListCriteriaOptions = {},
): Promise<{ readonly criteria: readonly ListedCriterion[]; readonly warnings: readonly Problem[] }> {
  const ours = await Promise.all(knownCriteria.map((known) => fromKnown(known, options)));
  const { criteria, warnings } = await fromChosenConfig(options);
  const own = (options.plugins ?? []).filter((plugin) => plugin.kind === 'criterion');
  const found = collectProblems();
  const installed = await found.attempt(async () =>
    loadPluginPackages(await pluginPackages([options.folder ?? '.', '.'])),
  );
  const others = (installed ?? []).filter((plugin) => plugin.kind === 'criterion');
  const byName = new Map([...others, ...own, ...criteria].map((criterion) => [criterion.name, criterion]));
  const more = [...byName.values()].filter(({ name }) => !knownCriteria.some((known) => known.name === name));
  return { criteria: [...ours, ...more.map(fromCriterion)], warnings: [...warnings, ...found.problems] };
}

async function fromKnown(
  { package: packageName, defaultThreshold, measuredByDefault: _, ...facts }: KnownCriterion,
  { folder = '.', builtIn }: ListCriteriaOptions,
): Promise<ListedCriterion> {
  const isBuiltIn = builtIn?.plugins.some(({ kind, name }) => kind === 'criterion' && name === facts.name) ?? false;
  const installed = isBuiltIn || (await resolveFrom(`${packageName}/pure`, folder)) !== undefined;
  return { ...facts, package: packageName, installed, default: defaultThreshold ?? null };
}

interface Listed {
  readonly criteria: readonly Criterion[];
  readonly warnings: readonly Problem[];
}

async function fromChosenConfig({ config, projectConfig, folder = '.' }: ListCriteriaOptions): Promise<Listed> {
  if (config !== undefined) return fromConfig(config);
  // Looks up the config as for an eval set in the folder.
  const { file, warnings } = await findEvalConfig(join(folder, 'any.evalset.json'), { above: false });
  if (file === null) {
    const own = projectConfig === undefined ? null : await fromConfig(projectConfig);
    return { criteria: own?.criteria ?? [], warnings: [...warnings, ...(own?.warnings ?? [])] };
  }
  try {
    return await fromConfig(file);
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    return { criteria: [], warnings: error.problems };
  }
}

async function fromConfig(file: string): Promise<Listed> {
  const { value, warnings } = await readJsonFile(file);
  const found = collectProblems();
  found.warn(warnings);
  const criteria = await found.attempt(async () => {
    const { plugins = [] } = parseEvalConfig(value, { file }).value;
    return createRegistry(await loadPlugins(plugins, dirname(file), file)).list('criterion');
  });
  found.throwIfAny();
  return { criteria: criteria ?? [], warnings };
}

function fromCriterion(criterion: Criterion): ListedCriterion {
  const { needs, range } = criterion;
  return {
    name: criterion.name,
    package: criterion.origin.package,
    installed: true,
    description: criterion.description,
    referenceBased: needs?.reference !== undefined,
    needsRubrics: needs?.rubrics !== undefined,
    judgedByModel: criterion.models !== undefined,
    simulatedUsers: needs?.reference === undefined,
    range: range.max === null ? `from ${range.min} up` : `${range.min} to ${range.max}`,
    default: null,
  };
}
