import { dirname } from 'node:path';
import { CriteriaError, type EvalSet, type Plugin, type Problem, type SessionInput } from '@agent-criteria/core';
import type { EvalSetSource } from '@agent-criteria/core/eval-set';
import {
  type ModelLookup,
  type Plan,
  type PluginAdvice,
  type Registry,
  resolveEvalConfig,
} from '@agent-criteria/core/host';
import { tokenPrices } from '@agent-criteria/results';
import {
  evalSetFrom,
  knownCriteria,
  type LoadedEvalSet,
  placeBelow,
  pluginAdvice,
  pluginAdviceWith,
  selectCases,
} from '@agent-criteria/runner';
import { isReplayOnly } from '../config/call-settings.ts';
import { withJudgeModel, withJudgeModelInCases } from '../config/judge-model.ts';
import { loadRegistry } from '../config/load-registry.ts';
import { pluginPackages } from '../config/plugin-packages.ts';
import { type LoadedProjectConfig, withoutProjectConfig } from '../config/project-config.ts';
import { judgeForAll, projectModels } from '../config/project-models.ts';
import { readEvalConfig } from '../config/read-eval-config.ts';
import { collectProblems } from '../files/collect-problems.ts';
import { resolveFrom } from '../files/import-module.ts';
import { loadEvalSet, withInitialSession } from '../files/load-eval-set.ts';
import { fittingSets, type TextFilter } from './fitting-sets.ts';
import { type GateRules, readGates } from './gates/read-gates.ts';

export interface LoadPlanOptions {
  /**
   * The path of an eval set file, an eval set, or eval cases, as a list or one by one. Values read from JSON may have
   * any format that a file may have, including legacy ones.
   */
  readonly evalSet: string | EvalSetSource;
  /** The id for a set that is given as cases, which has none of its own. Default `cases`. */
  readonly evalSetId?: string | undefined;
  /** Only the cases with these ids. If empty or by default, all cases. */
  readonly cases?: readonly string[] | undefined;
  /** Only the cases that match, by their tags or by a string in `SET:CASE` or a tag. Default: all. */
  readonly filter?: TextFilter | undefined;
  /**
   * The path of a config file, or a config. Default: `test_config.json` next to the eval set's file, else the only
   * `*config*.json` with `criteria` there, else the project's config, else the only such file in the folder above, else
   * ADK's default criteria.
   */
  readonly config?: unknown;
  /** The session for cases that specify none. */
  readonly initialSession?: SessionInput | null | undefined;
  /** The result of `loadProjectConfig`, with settings and plugins. Default: none. */
  readonly project?: LoadedProjectConfig | undefined;
  /**
   * The folder from which to resolve packages if neither set, config nor project is a file. Default: packages are not
   * looked up.
   */
  readonly folder?: string | undefined;
  /** The registered plugins. Default: the config's own plugins if it has any as values, else the default registry. */
  readonly registry?: Registry | undefined;
  readonly models?: ModelLookup | undefined;
  /**
   * Model providers besides those that are installed, requested if anything in the plan needs a model. Default: none.
   */
  readonly providers?: (() => Promise<readonly Plugin[]>) | undefined;
  /**
   * The judge model to use instead of those of the project, the config and the cases: a name in the project's `models`,
   * or one that a provider accepts. The plan and its `written` options name it.
   */
  readonly judgeModel?: string | undefined;
  /**
   * Whether answers come from recordings, so that neither a provider nor a key is needed. Default: whether the project
   * replays one.
   */
  readonly modelsRecorded?: boolean | undefined;
  /** Whether nothing will be called, as for an estimate, so that no keys are needed. Default `false`. */
  readonly estimateOnly?: boolean | undefined;
  /** The variables for criteria. Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** The compatibility mode. Default: the project's. */
  readonly compat?: 'adk' | null | undefined;
  /**
   * The half of the run to plan. Only inferences need the simulated user; only scores need the criteria's models and
   * environment. Default: both.
   */
  readonly only?: 'scores' | 'inferences' | undefined;
}

/** A plan that can run, and its sources. */
export interface LoadedPlan {
  readonly plan: Plan;
  /** The registered plugins and those that the config names. */
  readonly registry: Registry;
  /** The config file, or `null` for ADK's defaults or a config that did not come from a file. */
  readonly configFile: string | null;
  readonly warnings: readonly Problem[];
  /** The gates in its config, or `undefined` if it has none. */
  readonly gates?: GateRules | undefined;
}

const LOST_WITH_PLUGINS = new Set(['UNKNOWN_CRITERION', 'UNKNOWN_MODEL', 'UNKNOWN_SIMULATOR']);

/**
 * Makes a plan from files and names: reads the set and its config, loads the config's plugins, and resolves them.
 *
 * @throws CriteriaError with every mistake in any of them, and with other findings as `warnings`.
 */
export async function loadPlan(given: LoadPlanOptions): Promise<LoadedPlan> {
  const { project } = given;
  const judgeModel = given.judgeModel ?? (project && judgeForAll(project));
  const compat = given.compat === undefined ? project?.settings.compat : given.compat;
  const options: LoadPlanOptions = { ...given, judgeModel, compat };
  const found = collectProblems();
  const setFile = typeof options.evalSet === 'string' ? options.evalSet : undefined;
  const set = await found.attempt(() => readSet(options, setFile));
  found.warn(set?.warnings ?? []);
  const chosen = set && (await found.attempt(() => choose(set.value, options, setFile)));
  const config = await found.attempt(() => readEvalConfig(setFile, { config: options.config, project }));
  found.warn([...(project?.warnings ?? []), ...(config?.warnings ?? [])]);
  if (config === undefined) throw found.toError();
  const { file: configFile, folder = options.folder } = config;
  const value = judgeModel === undefined ? config.value : withJudgeModel(config.value, judgeModel);

  const before = found.problems.length;
  const lookAround = (configFile ?? setFile ?? project?.file ?? options.folder) !== undefined;
  const registry = await found.attempt(() => {
    const names = {
      evalSet: chosen ?? null,
      config: value,
      configFile,
      projectPlugins: project?.plugins ?? [],
      folder: folder ?? dirname(configFile ?? setFile ?? 'here'),
      providers: options.providers,
      only: options.only,
    };
    return loadRegistry({ ...names, lookAround }, options.registry);
  });
  const pluginsFailed = found.problems.length > before;

  // The config is checked even if the set cannot be read.
  const all: LoadedEvalSet = set ?? { value: { evalSetId: '', evalCases: [] }, warnings: [], caseAt: () => '$' };
  const evalSet = chosen ?? all.value;
  const inFiles = (problems: readonly Problem[]) =>
    problems.map((problem) => inFile(problem, { setFile, byDefault: value === null, all, evalSet }));
  const plan = await found.attempt(async () => {
    const given = { ...options, evalSet, all, registry: registry ?? options.registry };
    try {
      const folders = [folder ?? dirname(configFile ?? setFile ?? 'here'), '.'];
      return await withInstalled({ folders, lookAround }, (advice) => resolve(given, value, configFile, advice));
    } catch (error) {
      if (!CriteriaError.is(error)) throw error;
      // Names that a failed plugin may provide are not reported as unknown.
      const own = error.problems.filter(({ code }) => !(pluginsFailed && LOST_WITH_PLUGINS.has(code)));
      throw new CriteriaError(inFiles(own), { cause: error });
    }
  });
  found.warn(inFiles(plan?.warnings ?? []));
  const asked = plan?.config?.agentCriteria?.gates;
  const gates = asked === undefined ? undefined : await found.attempt(() => gatesOf(asked, configFile));
  if (plan === undefined || registry === undefined || found.problems.length > 0) throw found.toError();
  return { plan, registry, configFile: configFile ?? null, warnings: found.warnings, gates };
}

/** Reads the gates. @throws CriteriaError with every mistake in them. */
function gatesOf(asked: unknown, file: string | undefined): GateRules {
  const { rules, problems } = readGates(asked);
  if (problems.length > 0) throw new CriteriaError(problems.map((one) => ({ ...one, file })));
  return rules;
}

/**
 * Resolves a second time if criteria are proposed or missing, so that no installed package is suggested for
 * installation.
 */
async function withInstalled(
  { folders, lookAround }: { readonly folders: readonly string[]; readonly lookAround: boolean },
  work: (advice: PluginAdvice) => Plan,
): Promise<Plan> {
  const proposes = (problems: readonly Problem[]) =>
    problems.some(({ code }) => code === 'NEEDS_UNMET' || code === 'UNKNOWN_CRITERION');
  try {
    const plan = work(pluginAdvice);
    if (!proposes(plan.warnings)) return plan;
  } catch (error) {
    if (!CriteriaError.is(error) || !proposes(error.problems)) throw error;
  }
  const installed = await installedPackages(folders);
  const looked = lookAround ? (await pluginPackages(folders)).map(({ name }) => name) : null;
  return work(pluginAdviceWith({ installed, looked }));
}

/** Finds our criteria packages that can be imported from one of these folders. */
async function installedPackages(folders: readonly string[]): Promise<ReadonlySet<string>> {
  const installed = new Set<string>();
  for (const name of new Set(knownCriteria.map((known) => known.package))) {
    for (const folder of folders) {
      if ((await resolveFrom(`${name}/pure`, folder)) === undefined) continue;
      installed.add(name);
      break;
    }
  }
  return installed;
}

async function readSet(options: LoadPlanOptions, file: string | undefined): Promise<LoadedEvalSet> {
  const loaded = file === undefined ? await evalSetFrom(options.evalSet, options.evalSetId) : await loadEvalSet(file);
  const set = withInitialSession(loaded, options.initialSession ?? null);
  const { judgeModel } = options;
  return judgeModel === undefined ? set : { ...set, value: withJudgeModelInCases(set.value, judgeModel) };
}

function choose(evalSet: EvalSet, { cases, filter }: LoadPlanOptions, file: string | undefined): EvalSet {
  const named = selectCases(evalSet, cases, file);
  return fittingSets([{ evalSet: named, file: file ?? null }], filter)[0] ?? named;
}

function resolve(
  options: LoadPlanOptions & { readonly evalSet: EvalSet; readonly all: LoadedEvalSet },
  config: unknown,
  file: string | undefined,
  advice: PluginAdvice,
): Plan {
  const { evalSet, all, registry, project, environment = process.env, compat = null } = options;
  const { models: given, judgeModel, only, estimateOnly = false } = options;
  const from = project ?? withoutProjectConfig();
  const modelsRecorded = options.modelsRecorded ?? isReplayOnly(from);
  const models =
    registry === undefined ? given : projectModels(from, registry, { given, judgeModel, recorded: modelsRecorded });
  return resolveEvalConfig({
    evalSet,
    chosenFrom: all.value.evalCases,
    config,
    environment,
    settings: { prices: tokenPrices(from.settings.prices) },
    compat,
    scoringOnly: only === 'scores',
    inferencesOnly: only === 'inferences',
    estimateOnly,
    modelsRecorded,
    modelNames: Object.keys(from.settings.models ?? {}),
    advice,
    file,
    registry,
    models,
  });
}

interface Sources {
  readonly setFile: string | undefined;
  /** Whether there is no config, so that ADK's defaults apply. */
  readonly byDefault: boolean;
  readonly all: LoadedEvalSet;
  readonly evalSet: EvalSet;
}

/**
 * Translates a problem's location to the original files, because core knows neither the set's file nor the cases left
 * out.
 */
function inFile(problem: Problem, { setFile, byDefault, all, evalSet }: Sources): Problem {
  const { file, path, ...rest } = problem;
  const [, index, tail = ''] = /^\$\.eval_cases\[(\d+)\](.*)$/s.exec(path ?? '') ?? [];
  const chosen = evalSet.evalCases[Number(index)];
  const inSet = setFile === undefined ? rest : { ...rest, file: setFile };
  if (chosen !== undefined) {
    return { ...inSet, path: placeBelow(all.caseAt(all.value.evalCases.indexOf(chosen)), tail) };
  }
  return file === undefined && (path === undefined || byDefault) ? inSet : problem;
}
