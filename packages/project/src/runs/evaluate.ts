import { dirname, resolve } from 'node:path';
import type { ConfigPlugins, EvalConfigInput } from '@agent-criteria/core/eval-set';
import { checkOptions } from '@agent-criteria/core/host';
import type { RunCommit } from '@agent-criteria/results';
import {
  type AgentOption,
  agentsOf,
  checkRunSettings,
  type Evaluation,
  evaluateSet,
  isUrl,
  type RunSettings,
  runSettingNames,
} from '@agent-criteria/runner';
import { type CallOptions, callsOver } from '../config/call-settings.ts';
import { withProjectSettings } from '../config/project-config.ts';
import { collectProblems } from '../files/collect-problems.ts';
import {
  type AgentSource,
  adaptAgents,
  agentPaths,
  askedAgents,
  findAgents,
  loadAgents,
} from '../plan/asked-agents.ts';
import { fixedRepeats } from '../plan/auto-repeats.ts';
import { type LoadedPlan, type LoadPlanOptions, loadPlan } from '../plan/load-plan.ts';
import { withPolicies } from '../plan/open-policies.ts';
import { commitOfAgents } from './commit-of.ts';
import { importedFiles, recordFiles } from './run-code.ts';

/**
 * Options of `evaluate`, given as values, or as paths and names. An agent is a value, the path of a module or folder
 * that exports one, or the URL of a server. For variants, a path may end in `#EXPORT`.
 */
export type EvaluateOptions<Plugins extends ConfigPlugins = ConfigPlugins> = AgentOption<AgentSource> &
  EvaluateSettings<Plugins>;

/** All options of `evaluate` except the agents. */
export interface EvaluateSettings<Plugins extends ConfigPlugins = ConfigPlugins> extends LoadPlanOptions, RunSettings {
  /**
   * The path of a config file, or a config from `defineEvalConfig`. Default: the one found for the eval set, such as
   * `test_config.json` next to its file.
   */
  readonly config?: string | EvalConfigInput<Plugins> | null | undefined;
  /** How often each case runs. Default: the project's `repeats`, else 1. */
  readonly repeats?: number | undefined;
  /**
   * The folder in which to save the run: a new one, or the folder of the same run, which then continues. Default: the
   * run is not saved.
   */
  readonly folder?: string | undefined;
  /** Settings for calls to models and services: cache, recording, budget, retries. Default: those of the project. */
  readonly calls?: CallOptions | undefined;
}

/**
 * Runs an agent, or several side by side, on an eval set and scores the results, like `evaluate` of
 * `@agent-criteria/runner`, but also accepts paths and names for the set, its config, the agent, plugins and models.
 *
 * @throws CriteriaError with every mistake in the set, the config and the agent, before the agent runs.
 */
export async function evaluate<const Plugins extends ConfigPlugins>(
  options: EvaluateOptions<Plugins>,
): Promise<Evaluation> {
  checkOptions(options, optionNames, { evalSet: 'the path of an eval set, or the set' });
  checkRunSettings(options);
  // The agent's module may change the working folder.
  const workingFolder = resolve('.');
  const folder = options.folder === undefined ? undefined : resolve(options.folder);
  const { plan, agents, warnings, configFile, settings } = await prepare(options);
  const { evalSet, policies: given, project, calls: how } = options;
  const repeats = options.repeats ?? fixedRepeats(project?.settings.repeats, 1);
  const set = { plan, file: typeof evalSet === 'string' ? evalSet : null, configFile, warnings };
  const calls = callsOver(settings, how);
  const evaluating = (commit?: RunCommit) =>
    withPolicies([plan], { policies: given, project, calls }, (policies) =>
      evaluateSet(set, { ...settings, ...agents, policies, repeats, folder, workingFolder, commit }),
    );
  if (folder === undefined) return evaluating();
  const paths = agentPaths(agents).map((path) => (isUrl(path) ? path : resolve(workingFolder, path)));
  const files = await importedFiles(paths);
  const evaluation = await evaluating(await commitOfAgents(paths, dirname(folder)));
  recordFiles(folder, 'imported', files);
  return evaluation;
}

const optionNames = {
  evalSet: true,
  evalSetId: true,
  cases: true,
  filter: true,
  config: true,
  initialSession: true,
  project: true,
  folder: true,
  registry: true,
  models: true,
  providers: true,
  judgeModel: true,
  modelsRecorded: true,
  estimateOnly: true,
  compat: true,
  only: true,
  ...runSettingNames,
  agent: true,
  variants: true,
  repeats: true,
  calls: true,
} as const satisfies Record<keyof EvaluateOptions, true>;

/** Reports all mistakes together. Imports the agent's module last, because importing runs code. */
async function prepare(
  given: AgentOption<AgentSource> & LoadPlanOptions & RunSettings & Pick<EvaluateSettings, 'calls'>,
) {
  const asked = await askedAgents(agentsOf<AgentSource>(given));
  const { agent: _agent, variants: _variants, calls, ...options } = given;
  const found = collectProblems();
  const modelsRecorded = options.modelsRecorded ?? (calls?.recording && calls.recording.mode === 'replay');
  const loaded = await found.attempt(() => loadPlan({ ...options, modelsRecorded }));
  const ready = await found.attempt(async () => {
    await findAgents(asked);
    return adaptAgents(asked, loaded?.registry);
  });
  found.throwIfAny();
  const { plan, registry, warnings, configFile } = loaded as LoadedPlan;
  const { options: agents } = await loadAgents(ready ?? asked, registry);
  return { plan, warnings, configFile, agents, settings: withProjectSettings(options, options.project) };
}
