import { type PreparedRun, type PrepareRunOptions, prepareRun, type Settings } from '@agent-criteria/project';
import { splitAgent } from '@agent-criteria/project/config';
import { findAgent, setsOfAgent } from '@agent-criteria/project/plan';
import { safe } from '@agent-criteria/report/terminal';
import { isUrl } from '@agent-criteria/runner';
import { usage } from './arguments.ts';
import type { Io } from './io.ts';
import { maskEnvironmentFiles } from './masked.ts';
import { namedAgents } from './named-agents.ts';
import { printWarnings } from './print.ts';
import { projectOptions } from './project.ts';

/** The options of a run that flags give. */
export interface Asked
  extends Pick<PrepareRunOptions, 'cases' | 'filter' | 'config' | 'agentName' | 'only' | 'gates' | 'estimateOnly'> {
  readonly settings: Settings;
  readonly variant: readonly string[] | undefined;
  /** Replaces the eval sets of the arguments. Default: it does not. */
  readonly evalSets?: readonly string[] | undefined;
}

/** Prepares a run from the AGENT and EVALSET arguments and the flags. */
export async function prepareFromArguments(
  positionals: readonly string[],
  asked: Asked,
  form: string,
  io: Io,
): Promise<PreparedRun> {
  const { variant: _, ...rest } = asked;
  const { settings } = asked;
  const { agent, variants, evalSets } = await namedAgents(positionals, asked, settings, io);
  const first = agent ?? Object.values(variants ?? {})[0];
  if (first === undefined) throw usage(`name an agent and an eval set: ${form} (see --help)`);
  const path = agent ?? (await splitAgent(first)).path;
  const named = asked.evalSets ?? (evalSets.length > 0 ? evalSets : await setsOfAgent(path));
  if (named.length === 0) {
    if (isUrl(path)) throw usage(`name at least one eval set: ${form} (see --help)`);
    // A missing agent is reported before missing eval sets.
    await findAgent(path);
    throw usage(`there is no eval set in the folder of the agent ${path}; name one: ${form} (see --help)`);
  }
  const all = variants === undefined ? settings : { ...settings, variants };
  const prepared = await prepareRun({ ...rest, ...projectOptions(all, io), agent, evalSets: named });
  printPrepared(prepared, io);
  return prepared;
}

/** Prints the warnings of a run, and the names (never the values) of variables from `.env` files. */
export function printPrepared({ project, warnings }: PreparedRun, io: Io): void {
  maskEnvironmentFiles(project, io);
  for (const { file, names } of project.environment.files) {
    if (names.length > 0) io.err(`environment: ${names.map(safe).join(', ')} from ${safe(file)}\n`);
  }
  printWarnings(warnings, io);
}
