import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CriteriaError, type Criterion, didYouMean } from '@agent-criteria/core';
import type { Registry } from '@agent-criteria/core/host';
import type { CustomMetricConfig, EvalConfig } from '@agent-criteria/formats';
import { knownCriteria } from '@agent-criteria/runner';
import { collectProblems } from '../files/collect-problems.ts';
import { importModule, MODULES } from '../files/import-module.ts';
import { maskedLoadError } from '../files/masked-load-error.ts';
import { kindOf } from '../files/path-kind.ts';
import { type CustomMetricFunction, customCriterion } from './custom-criterion.ts';

/**
 * Loads the criteria that `custom_metrics` in a config defines as functions, such as `"./file.ts#export"`. Other names
 * are left for resolving, which knows the registered criteria.
 * @param folder The folder that paths are relative to.
 * @throws CriteriaError with every function that cannot be loaded.
 */
export async function loadCustomMetrics(
  config: EvalConfig,
  folder: string,
  file: string | undefined,
  registry: Registry,
): Promise<readonly Criterion[]> {
  const found = collectProblems();
  const criteria: Criterion[] = [];
  for (const [name, metric] of Object.entries(config.customMetrics ?? {})) {
    const written = metric.codeConfig.name;
    if (!written.includes('#')) continue;
    const criterion = await found.attempt(async () => {
      try {
        checkName(name, registry);
        return await loadOne(name, metric, config, folder);
      } catch (error) {
        if (!CriteriaError.is(error)) throw error;
        throw new CriteriaError(
          error.problems.map((problem) => ({ ...problem, path: placeOf(name), file: file ?? problem.file })),
          { cause: error.cause },
        );
      }
    });
    if (criterion !== undefined) criteria.push(criterion);
  }
  found.throwIfAny();
  return criteria;
}

function placeOf(name: string): string {
  return `$.custom_metrics${/^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`}`;
}

function refused(message: string, options?: { cause: unknown }): CriteriaError {
  return new CriteriaError({ code: 'INVALID_CONFIG', message }, options);
}

/** Rejects a function with the name of a criterion, because readers of a result would mistake it for the criterion. */
function checkName(name: string, registry: Registry): void {
  const registered = registry.get('criterion', name)?.origin.package;
  const brings = registered ?? knownCriteria.find((one) => one.name === name)?.package;
  // Such an origin belongs to a function from an earlier plan rather than to a package.
  if (brings === undefined || brings.includes('#')) return;
  const message = `"${name}" is the name of a criterion of ${brings}; rename the function`;
  throw new CriteriaError({ code: 'DUPLICATE_PLUGIN', message });
}

async function loadOne(
  name: string,
  metric: CustomMetricConfig,
  config: EvalConfig,
  folder: string,
): Promise<Criterion> {
  const { path, exported } = splitReference(metric.codeConfig.name);
  const interval = metric.metricInfo?.metricValueInfo?.interval;
  if (interval && !(interval.minValue < interval.maxValue)) {
    throw refused(`the range of its metric_info must have its min_value below its max_value`);
  }
  const project = await projectFolder(folder);
  const file = await fileInside(path, folder, project);
  let loaded: Record<string, unknown>;
  try {
    loaded = await importModule(file);
  } catch (error) {
    throw refused(`"${path}" does not load: ${maskedLoadError(error)}`, { cause: error });
  }
  const found = Object.hasOwn(loaded, exported) ? loaded[exported] : undefined;
  if (typeof found !== 'function') {
    const names = Object.keys(loaded).filter((key) => typeof loaded[key] === 'function');
    const is = found === undefined ? `has no export "${exported}"` : `exports "${exported}", which is not a function`;
    const list = names.length === 0 ? 'it exports no functions' : `its functions are ${names.join(', ')}`;
    throw refused(`"${path}" ${is}${didYouMean(exported, names)} (${list})`);
  }
  const entry = config.criteria?.[name];
  const measured = config.agentCriteria?.measure?.includes(name) ?? false;
  return customCriterion(found as CustomMetricFunction, {
    name,
    metric,
    threshold: measured ? null : ((typeof entry === 'number' ? entry : entry?.threshold) ?? null),
    origin: {
      package: `./${relative(project, file).split(sep).join('/')}#${exported}`,
      version: `0.0.0-sha256-${createHash('sha256')
        .update(await readFile(file))
        .digest('hex')
        .slice(0, 16)}`,
    },
  });
}

/**
 * Splits `./file.ts#export`. Rejects paths that no project's config needs, because a config may come from a stranger
 * and its functions are executed.
 */
export function splitReference(reference: string): { readonly path: string; readonly exported: string } {
  const at = reference.lastIndexOf('#');
  const path = reference.slice(0, at).replaceAll('\\', '/');
  const exported = reference.slice(at + 1);
  const form = 'write "./file.ts#export", with the path from the config';
  if (!/^[A-Za-z_$][\w$]*$/.test(exported)) throw refused(`"${reference}" names no export; ${form}`);
  if (!/^\.\.?\//.test(path)) throw refused(`"${reference}" is not a path relative to the config; ${form}`);
  if (path.includes('\0') || path.toLowerCase().split('/').includes('node_modules'))
    throw refused(`"${reference}" is not a file of this project; ${form}`);
  if (!MODULES.has(extname(path)))
    throw refused(
      `"${path}" is not a module: a function must be in a file that ends in one of ${[...MODULES].join(', ')}`,
    );
  return { path, exported };
}

/**
 * Finds the folder of the nearest package.json from here upward, or else returns this folder. A config may only name
 * files inside it.
 */
export async function projectFolder(folder: string): Promise<string> {
  const start = resolve(folder);
  for (let at = start; ; at = dirname(at)) {
    if ((await kindOf(join(at, 'package.json'))) === 'file') return at;
    if (dirname(at) === at) return start;
  }
}

/** Resolves a path to a file inside the project. Follows links before the check. */
async function fileInside(path: string, folder: string, project: string): Promise<string> {
  const file = resolve(folder, path);
  const outside = () =>
    refused(`"${path}" is outside the project (${project}); a config may only name functions of its own project`);
  if (!isInside(project, file)) throw outside();
  if ((await kindOf(file)) !== 'file') throw refused(`there is no file "${path}" (looked for ${file})`);
  const real = await realpath(file);
  if (!isInside(await realpath(project), real)) throw outside();
  return file;
}

function isInside(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== '' && !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}
