import type { Problem } from '@agent-criteria/core';
import type { EvalSetSource } from '@agent-criteria/core/eval-set';
import { createRegistry, type ModelLookup, type Registry } from '@agent-criteria/core/host';
import { type PlannedSet, type RunSettings, withUniqueIds } from '@agent-criteria/runner';
import type { CallOptions } from '../config/call-settings.ts';
import { applyEnvironment, loadEnvironment } from '../config/environment.ts';
import {
  findProjectConfig,
  type LoadedProjectConfig,
  loadProjectConfig,
  withProjectSettings,
} from '../config/project-config.ts';
import { collectProblems } from '../files/collect-problems.ts';
import { loadInitialSession } from '../files/load-eval-set.ts';
import { type AgentOrVariants, askedAgents, findAgents, type LoadedAgents, loadAgents } from '../plan/asked-agents.ts';
import { loadPlan } from '../plan/load-plan.ts';
import type { PreparedSet } from '../plan/plan-sets.ts';

/** How each case runs and is judged. */
export interface CaseOptions
  extends Pick<
    RunSettings,
    | 'caseTimeout'
    | 'concurrency'
    | 'criterionTimeout'
    | 'environment'
    | 'maskSecrets'
    | 'prices'
    | 'redact'
    | 'turnTimeout'
  > {
  /** The name of an agent below the module's agent to evaluate instead. */
  readonly agentName?: string | undefined;
  /** The file with a session for cases that have none. */
  readonly initialSessionFile?: string | undefined;
  readonly compat?: 'adk' | null | undefined;
  /** The judge model to use instead of every judge that configs name. Default: as configured. */
  readonly judgeModel?: string | undefined;
  /** Settings for calls to models and services: cache, recording, budget, retries. Default: those of the project. */
  readonly calls?: CallOptions | undefined;
}

/**
 * How an agent is evaluated. By default, variables come from `process.env` and, if the agent is a path, from `.env` in
 * the agent's folder and in the working folder.
 */
export interface AgentEvaluationOptions extends CaseOptions {
  /** The config for all files. Default: the one found for each file, such as `test_config.json` next to it. */
  readonly config?: unknown;
  readonly registry?: Registry | undefined;
  readonly models?: ModelLookup | undefined;
  /** The folder from which to look for the project's config if the agent is not a path. Default: the working folder. */
  readonly from?: string | undefined;
}

/** A set, and the gates that its config sets for the whole run. */
type GatedSet = PlannedSet & Pick<PreparedSet, 'gates'>;

/** Reports all mistakes together. Imports the agent's module last, because importing runs code. */
export async function prepareEvaluation(
  asked: AgentOrVariants,
  options: AgentEvaluationOptions & RunSettings,
  findSets: () => Promise<readonly (string | EvalSetSource)[]>,
): Promise<{
  readonly sets: readonly GatedSet[];
  readonly agents: LoadedAgents;
  readonly settings: RunSettings;
  readonly project: LoadedProjectConfig;
}> {
  const { agentName, config, registry, models, compat, judgeModel, calls, from } = options;
  const named = await askedAgents(asked, agentName);
  // With several agents, the project of the first one is used.
  const [first] = named.map(({ from: agent }) => agent);
  const path = typeof first === 'string' ? first : undefined;
  const found = collectProblems();
  await found.attempt(() => findAgents(named));
  let environmentWarnings: readonly Problem[] = [];
  let { alsoMasked = [] } = options;
  const environment = await found.attempt(async () => {
    if (options.environment !== undefined || path === undefined) return options.environment ?? process.env;
    const loaded = await loadEnvironment({ agent: path });
    applyEnvironment(loaded);
    environmentWarnings = loaded.warnings;
    alsoMasked = [...alsoMasked, ...loaded.inFiles];
    return process.env;
  });
  // Done after the variables are set, because a config that is a module may read them.
  const project = await found.attempt(async () => {
    const loaded = await loadProjectConfig(await findProjectConfig(path ?? from), { environment });
    return { ...loaded, warnings: [...loaded.warnings, ...environmentWarnings] };
  });
  const session = await found.attempt(async () =>
    options.initialSessionFile === undefined ? null : loadInitialSession(options.initialSessionFile),
  );
  const evalSets = await found.attempt(() => findSets());
  const modelsRecorded = calls?.recording?.mode === undefined ? undefined : calls.recording.mode === 'replay';
  const common = {
    config,
    registry,
    models,
    compat,
    project,
    environment,
    initialSession: session,
    judgeModel,
    modelsRecorded,
  };
  const sets: GatedSet[] = [];
  const adapters = [];
  for (const evalSet of evalSets ?? []) {
    const loaded = await found.attempt(() => loadPlan({ ...common, evalSet }));
    if (loaded === undefined) continue;
    const { plan, configFile, warnings, gates } = loaded;
    sets.push({ plan, file: typeof evalSet === 'string' ? evalSet : null, configFile, warnings, gates });
    adapters.push(...loaded.registry.list('agent-adapter'));
  }
  found.throwIfAny();
  if (project === undefined) throw found.toError();
  return {
    sets: withUniqueIds(sets),
    agents: await loadAgents(named, createRegistry(adapters)),
    settings: withProjectSettings({ ...options, alsoMasked }, project),
    project,
  };
}
