import type { Agent, Problem } from '@agent-criteria/core';
import { createRegistry, type ModelLookup, type Registry } from '@agent-criteria/core/host';
import type { AgentInput } from './agent-input.ts';
import type { CallOptions } from './load/call-settings.ts';
import type { LoadedProjectConfig } from './load/project-config.ts';
import { type PlannedSet, withUniqueIds } from './planned-set.ts';
import type { RunSettings } from './settings.ts';

/** What an agent is evaluated by, and how that goes. */
export interface AgentEvaluationOptions extends RunSettings {
  /** Evaluates the agent of this name below the module's. */
  readonly agentName?: string | undefined;
  /** The file of a session that cases start from which name none. */
  readonly initialSessionFile?: string | undefined;
  /** What all files are judged by. Default: `test_config.json` beside each file. */
  readonly config?: unknown;
  readonly registry?: Registry | undefined;
  readonly models?: ModelLookup | undefined;
  /**
   * What criteria may look for. Default: `process.env`, into which `.env` of the agent's folder and of the working folder
   * are read when the agent is a path.
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly compat?: 'adk' | null | undefined;
  /** A model by name that judges in place of every judge that configs name. Default: what they name. */
  readonly judgeModel?: string | undefined;
  /** What stands before models, over what the project says. Needs @agent-criteria/models. */
  readonly calls?: CallOptions | undefined;
  /** The folder from which the project's config is looked for when the agent is no path. Default: the working folder. */
  readonly from?: string | undefined;
}

/** What reads files and names, which who brings everything as values never loads. */
type Load = typeof import('./load/index.ts');

/** Whatever is wrong is told together, and the agent's module is imported last: importing runs code. */
export async function prepareEvaluation(
  asked: AgentInput | object,
  options: AgentEvaluationOptions,
  findSets: (load: Load) => Promise<readonly unknown[]>,
): Promise<{
  readonly sets: readonly PlannedSet[];
  readonly agent: Agent;
  readonly settings: RunSettings;
  readonly project: LoadedProjectConfig | undefined;
}> {
  // Here, not above: who brings everything as values never loads it.
  const load = await import('./load/index.ts');
  const { agentName, config, registry, models, compat, judgeModel, calls, from } = options;
  const path = typeof asked === 'string' ? asked : undefined;
  const found = load.collectProblems();
  const module = await found.attempt(() => (path === undefined ? '' : load.findAgent(path)));
  let odd: readonly Problem[] = [];
  const environment = await found.attempt(async () => {
    if (options.environment !== undefined || path === undefined) return options.environment ?? process.env;
    const loaded = await load.loadEnvironment({ agent: path });
    load.applyEnvironment(loaded);
    odd = loaded.warnings;
    return process.env;
  });
  // After the variables: a config that is a module may read them.
  const project = await found.attempt(async () => {
    const loaded = await load.loadProjectConfig(await load.findProjectConfig(path ?? from), { environment });
    return { ...loaded, warnings: [...loaded.warnings, ...odd] };
  });
  const session = await found.attempt(async () =>
    options.initialSessionFile === undefined ? null : load.loadInitialSession(options.initialSessionFile),
  );
  const evalSets = await found.attempt(() => findSets(load));
  const modelsRecorded = calls?.recording?.mode === undefined ? undefined : calls.recording.mode === 'replay';
  const common = {
    ...{ config, registry, models, compat, project, environment, initialSession: session },
    ...{ judgeModel, modelsRecorded },
  };
  const sets: PlannedSet[] = [];
  const adapters = [];
  for (const evalSet of evalSets ?? []) {
    const loaded = await found.attempt(() => load.loadPlan({ ...common, evalSet }));
    if (loaded === undefined) continue;
    const { plan, configFile, warnings } = loaded;
    sets.push({ plan, file: typeof evalSet === 'string' ? evalSet : null, configFile, warnings });
    adapters.push(...loaded.registry.list('agent-adapter'));
  }
  found.throwIfAny();
  const known = createRegistry(adapters);
  const agent =
    typeof module === 'string' && path !== undefined
      ? await load.loadAgent(path, known, { agentName })
      : await load.adaptAgent(agentName === undefined ? asked : load.findSubAgent([asked], agentName), known);
  return {
    sets: withUniqueIds(sets),
    agent,
    settings: load.withProjectSettings(options, project),
    project,
  };
}
