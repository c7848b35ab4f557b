import type { Agent } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { collectProblems, findAgent, loadAgent, type Settings, uniqueProblems } from '@agent-criteria/project';
import { safe } from '@agent-criteria/report/terminal';
import { usage } from './arguments.ts';
import type { Io } from './io.ts';
import { chooseSets, type PreparedSet, planSets, setsOfAgent } from './plan-sets.ts';
import { printWarnings } from './print-problems.ts';
import { openProject, type Project } from './project.ts';

export interface Asked {
  /** The config that a flag names. */
  readonly config: string | undefined;
  /** The agent to evaluate of those of the module. Default: the module's agent. */
  readonly agentName: string | undefined;
  /** Of whichever eval set has them. */
  readonly cases: readonly string[];
  /** What flags set. */
  readonly given: Settings;
  /** Only this half is to be done. Default: both. */
  readonly only?: 'inferences' | undefined;
}

export interface PreparedRun {
  readonly project: Project;
  readonly sets: readonly PreparedSet[];
  readonly agent: FoundAgent;
}

/** An agent that is there. Importing it runs code, so that this is done last. */
export interface FoundAgent {
  /** Its module or its URL. */
  readonly file: string;
  /** The name by which it is chosen among those of its module, if it is. */
  readonly agentName: string | undefined;
  /** @throws CriteriaError when the module does not load, or exports no agent. */
  load(): Promise<Agent>;
}

/**
 * Everything that a run needs, from AGENT and EVALSET arguments. The agent's module is found, but not imported.
 * @throws CriteriaError with every mistake in any of it.
 */
export async function prepareRun(
  [agentPath, ...setArguments]: readonly string[],
  asked: Asked,
  form: string,
  io: Io,
): Promise<PreparedRun> {
  if (agentPath === undefined) throw usage(`name an agent and an eval set: ${form} (see --help)`);
  const named = setArguments.length > 0 ? setArguments : await setsOfAgent(agentPath, form);
  const project = await openProject(agentPath, asked.given, io);
  const found = collectProblems();
  const chosen = await chooseSets(agentPath, named, asked.cases, found);
  const { config, only } = asked;
  const sets = await planSets(chosen, { config, project, only }, found);
  const file = await found.attempt(() => findAgent(agentPath));
  found.throwIfAny();
  printEnvironment(project, io);
  printWarnings(uniqueProblems(sets.flatMap((set) => set.warnings ?? [])), io);
  return {
    project,
    sets,
    agent: foundAgent({ path: agentPath, file: file ?? agentPath, agentName: asked.agentName }, sets, project),
  };
}

/** The agent of a path, by the adapters of the project and of what the sets brought. */
export function foundAgent(
  { path, file, agentName }: { readonly path: string } & Omit<FoundAgent, 'load'>,
  sets: readonly PreparedSet[],
  project: Project,
): FoundAgent {
  const adapters = [
    ...project.config.plugins.filter((plugin) => plugin.kind === 'agent-adapter'),
    ...sets.flatMap((set) => set.registry.list('agent-adapter')),
  ];
  const registry = createRegistry([...new Set(adapters)]);
  return { file, agentName, load: () => loadAgent(path, registry, { agentName }) };
}

/** Which files add to the environment: their names and those of the variables, never a value. */
export function printEnvironment({ environment }: Project, io: Io): void {
  for (const { file, names } of environment.files) {
    if (names.length > 0) io.err(`environment: ${names.map(safe).join(', ')} from ${safe(file)}\n`);
  }
}
