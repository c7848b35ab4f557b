import { type Agent, createRegistry } from '@agent-criteria/core';
import { safe } from '@agent-criteria/report/terminal';
import { collectProblems, findAgent, loadAgent, uniqueProblems } from '@agent-criteria/runner/load';
import { usage } from './arguments.ts';
import type { Io } from './io.ts';
import { chooseSets, type PreparedSet, planSets, setsOfAgent } from './plan-sets.ts';
import { printWarnings } from './print-problems.ts';
import { openProject, type Project } from './project.ts';

export interface Asked {
  /** The config that a flag names. */
  readonly config: string | undefined;
  /** Of whichever eval set has them. */
  readonly cases: readonly string[];
  readonly runsFolder: string | undefined;
  readonly compat: 'adk' | null;
  /** Only this half is to be done. Default: both. */
  readonly only?: 'inferences' | undefined;
}

export interface PreparedRun {
  readonly project: Project;
  readonly sets: readonly PreparedSet[];
  readonly agent: { readonly agent: Agent; readonly file: string };
}

/**
 * Everything that a run needs, from AGENT and EVALSET arguments. The agent's module is imported last: importing runs code.
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
  const project = await openProject(agentPath, asked.runsFolder, io);
  const found = collectProblems();
  const chosen = await chooseSets(agentPath, named, asked.cases, found);
  const sets = await planSets(chosen, { config: asked.config, compat: asked.compat, project, only: asked.only }, found);
  const file = await found.attempt(() => findAgent(agentPath));
  found.throwIfAny();
  printEnvironment(project, io);
  printWarnings(uniqueProblems(sets.flatMap((set) => set.warnings ?? [])), io);
  return { project, sets, agent: { agent: await importAgent(agentPath, sets, project), file: file ?? agentPath } };
}

/** @throws CriteriaError when the module does not load, or exports no agent. */
export async function importAgent(path: string, sets: readonly PreparedSet[], project: Project): Promise<Agent> {
  const adapters = [
    ...project.config.plugins.filter((plugin) => plugin.kind === 'agent-adapter'),
    ...sets.flatMap((set) => set.registry.list('agent-adapter')),
  ];
  return loadAgent(path, createRegistry([...new Set(adapters)]));
}

/** Which files add to the environment: their names and those of the variables, never a value. */
export function printEnvironment({ environment }: Project, io: Io): void {
  for (const { file, names } of environment.files) {
    if (names.length > 0) io.err(`environment: ${names.map(safe).join(', ')} from ${safe(file)}\n`);
  }
}
