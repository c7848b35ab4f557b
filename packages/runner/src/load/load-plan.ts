import { dirname } from 'node:path';
import {
  CriteriaError,
  type EvalSet,
  type ModelLookup,
  type Plan,
  type Problem,
  type Registry,
  readEvalData,
  resolveEvalConfig,
} from '@agent-criteria/core';
import { selectCases } from '../select-cases.ts';
import { collectProblems } from './collect-problems.ts';
import { findConfig } from './find-files.ts';
import { loadEvalSet } from './load-eval-set.ts';
import { loadRegistry } from './load-registry.ts';
import { readJsonFile } from './read-json-file.ts';

export interface LoadPlanOptions {
  /** The path of an eval set file, or its content, of any format that ADK ever had. */
  readonly evalSet: unknown;
  /** Only these case ids. Absent or empty: all. */
  readonly cases?: readonly string[] | undefined;
  /**
   * The path of a config file, or a config. Default: `test_config.json` beside the eval set's file, else ADK's default
   * criteria.
   */
  readonly config?: unknown;
  /** What is registered already. Default: the config's own plugins where it has values, else the default registry. */
  readonly registry?: Registry | undefined;
  readonly models?: ModelLookup | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly compat?: 'adk' | null | undefined;
}

/** A plan that can run, and where it came from. */
export interface LoadedPlan {
  readonly plan: Plan;
  /** What was registered, with everything that the config names. */
  readonly registry: Registry;
  /** `null`: ADK's defaults, or a config that was no file. */
  readonly configFile: string | null;
  readonly warnings: readonly Problem[];
}

const LOST_WITH_PLUGINS = new Set(['UNKNOWN_CRITERION', 'UNKNOWN_MODEL', 'UNKNOWN_SIMULATOR']);

/**
 * From files and names to a plan: reads the set and its config, loads the plugins that the config names, resolves.
 * @throws CriteriaError with every mistake in any of them.
 */
export async function loadPlan(options: LoadPlanOptions): Promise<LoadedPlan> {
  const found = collectProblems();
  const setFile = typeof options.evalSet === 'string' ? options.evalSet : undefined;
  const set = await found.attempt(() => (setFile === undefined ? readEvalData(options.evalSet) : loadEvalSet(setFile)));
  const chosen = set && (await found.attempt(() => selectCases(set.value, options.cases, setFile)));
  const config = await found.attempt(() => readConfig(options.config, setFile));
  if (config === undefined) throw found.toError();
  const { value, file: configFile } = config;

  const before = found.problems.length;
  const registry = await found.attempt(() => {
    const names = {
      evalSet: chosen ?? null,
      config: value,
      configFile,
      folder: dirname(configFile ?? setFile ?? 'here'),
    };
    return loadRegistry({ ...names, lookAround: (configFile ?? setFile) !== undefined }, options.registry);
  });
  const pluginsFailed = found.problems.length > before;

  // A set that cannot be read leaves its config to be checked all the same.
  const all: EvalSet = set?.value ?? { evalSetId: '', evalCases: [] };
  const evalSet = chosen ?? all;
  const inFiles = (problems: readonly Problem[]) =>
    problems.map((problem) => inFile(problem, { setFile, byDefault: value === null, all, evalSet }));
  const plan = await found.attempt(() => {
    try {
      return resolve({ ...options, evalSet, registry: registry ?? options.registry }, value, configFile);
    } catch (error) {
      if (!CriteriaError.is(error)) throw error;
      // What a plugin would have brought is not missing for another reason.
      const own = error.problems.filter(({ code }) => !(pluginsFailed && LOST_WITH_PLUGINS.has(code)));
      throw new CriteriaError(inFiles(own), { cause: error });
    }
  });
  if (plan === undefined || registry === undefined || found.problems.length > 0) throw found.toError();
  const warnings = [...(set?.warnings ?? []), ...config.warnings, ...inFiles(plan.warnings)];
  return { plan, registry, configFile: configFile ?? null, warnings };
}

function resolve(
  options: LoadPlanOptions & { readonly evalSet: EvalSet },
  config: unknown,
  file: string | undefined,
): Plan {
  const { evalSet, registry, models, environment = process.env, compat = null } = options;
  return resolveEvalConfig({
    ...{ evalSet, config, environment, compat },
    ...(file === undefined ? {} : { file }),
    ...(registry === undefined ? {} : { registry }),
    ...(models === undefined ? {} : { models }),
  });
}

async function readConfig(
  given: unknown,
  setFile: string | undefined,
): Promise<{ readonly value: unknown; readonly file?: string; readonly warnings: readonly Problem[] }> {
  let file = typeof given === 'string' ? given : undefined;
  if (given === undefined && setFile !== undefined) file = await findConfig(setFile);
  if (file === undefined) return { value: given ?? null, warnings: [] };
  const { value, warnings } = await readJsonFile(file);
  if (value !== null) return { value, file, warnings };
  // To resolve, null means that there is no config.
  const message = 'the config is null; write an object with "criteria", or remove the file';
  throw new CriteriaError({ code: 'INVALID_CONFIG', file, path: '$', message });
}

interface Sources {
  readonly setFile: string | undefined;
  /** Whether ADK's defaults stand in for a config. */
  readonly byDefault: boolean;
  readonly all: EvalSet;
  readonly evalSet: EvalSet;
}

/** A problem with its place in the files as they were written: core knows neither the set's file nor the cases left out. */
function inFile(problem: Problem, { setFile, byDefault, all, evalSet }: Sources): Problem {
  const { file, path, ...rest } = problem;
  const [, index, tail] = /^\$\.eval_cases\[(\d+)\](.*)$/s.exec(path ?? '') ?? [];
  const chosen = evalSet.evalCases[Number(index)];
  const inSet = setFile === undefined ? rest : { ...rest, file: setFile };
  if (chosen !== undefined) return { ...inSet, path: `$.eval_cases[${all.evalCases.indexOf(chosen)}]${tail}` };
  return file === undefined && (path === undefined || byDefault) ? inSet : problem;
}
