import { resolve } from 'node:path';
import type { Agent } from '@agent-criteria/core';
import type { ConfigPlugins, EvalConfigInput } from '@agent-criteria/core/eval-set';
import { checkOptions } from '@agent-criteria/core/host';
import {
  checkRunSettings,
  type Evaluation,
  evaluateSet,
  type RunSettings,
  runSettingNames,
} from '@agent-criteria/runner';
import type { AgentSource } from './agent-source.ts';
import { type CallOptions, callsOver } from './call-settings.ts';
import { collectProblems } from './collect-problems.ts';
import { adaptAgent, findAgent, loadAgent } from './load-agent.ts';
import { type LoadedPlan, type LoadPlanOptions, loadPlan, loadPlanOptionNames } from './load-plan.ts';
import { withProjectSettings } from './project-settings.ts';
import { withPolicies } from './with-policies.ts';

/** What to evaluate, by what, and how: as values, or by path and name. */
export interface EvaluateOptions<Plugins extends ConfigPlugins = ConfigPlugins>
  extends Omit<LoadPlanOptions, 'config'>,
    RunSettings {
  /**
   * The path of a config file, or a config, as `defineEvalConfig` gives it. Default: `test_config.json` beside the eval set's
   * file, else the project's config, else ADK's default criteria.
   */
  readonly config?: string | EvalConfigInput<Plugins> | null | undefined;
  /** An agent, or the path of a module or folder that exports one, or the URL of a server. */
  readonly agent: AgentSource;
  /** How often each case runs. Default: `repeats` of the project, else 1. */
  readonly repeats?: number | undefined;
  /**
   * Where everything is kept too, so that the run survives this process: a new folder, or that of the same run, which is
   * then continued. Default: nothing is kept.
   */
  readonly folder?: string | undefined;
  /** What stands before models, over what the project says. Needs @agent-criteria/models. */
  readonly calls?: CallOptions | undefined;
}

/**
 * Runs an agent on an eval set and scores what it did, as `evaluate` of `@agent-criteria/runner` does, and takes paths and
 * names, too: of the set, its config, the agent, plugins and models.
 *
 * @throws CriteriaError with every mistake in the set, the config and the agent, before the agent runs.
 */
export async function evaluate<const Plugins extends ConfigPlugins>(
  options: EvaluateOptions<Plugins>,
): Promise<Evaluation> {
  checkOptions(options, optionNames, { evalSet: 'the path of an eval set, or the set' });
  checkRunSettings(options);
  // The module of an agent may change the working folder.
  const workingFolder = resolve('.');
  const folder = options.folder === undefined ? undefined : resolve(options.folder);
  const { plan, agent, warnings, configFile, settings } = await prepare(options);
  const { agent: asked, evalSet, policies: given, project, calls: how } = options;
  const repeats = options.repeats ?? project?.settings.repeats ?? 1;
  const set = { plan, file: typeof evalSet === 'string' ? evalSet : null, configFile, warnings };
  const agentPath = typeof asked === 'string' ? asked : undefined;
  const calls = callsOver(settings, how);
  return withPolicies([plan], { policies: given, project, calls }, (policies) =>
    evaluateSet(set, { ...settings, policies, agent, agentPath, repeats, folder, workingFolder }),
  );
}

const optionNames = {
  ...loadPlanOptionNames,
  ...runSettingNames,
  agent: true,
  repeats: true,
  folder: true,
  calls: true,
} as const satisfies Record<keyof EvaluateOptions, true>;

/** Whatever is wrong is told together, and the agent's module is imported last: importing runs code. */
async function prepare({ agent, calls, ...options }: Omit<EvaluateOptions, 'config'> & { readonly config?: unknown }) {
  const found = collectProblems();
  const modelsRecorded = options.modelsRecorded ?? (calls?.recording && calls.recording.mode === 'replay');
  const loaded = await found.attempt(() => loadPlan({ ...options, modelsRecorded }));
  const given = await found.attempt(
    (): Promise<string | Agent> => (typeof agent === 'string' ? findAgent(agent) : adaptAgent(agent, loaded?.registry)),
  );
  found.throwIfAny();
  const { plan, registry, warnings, configFile } = loaded as LoadedPlan;
  const ready = typeof given === 'object' ? given : await loadAgent(String(agent), registry);
  return { plan, warnings, configFile, agent: ready, settings: withProjectSettings(options, options.project) };
}
