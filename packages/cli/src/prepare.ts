import {
  findAgent,
  type PreparedRun,
  type PrepareRunOptions,
  prepareRun,
  type Settings,
  setsOfAgent,
} from '@agent-criteria/project';
import { safe } from '@agent-criteria/report/terminal';
import { isUrl } from '@agent-criteria/runner';
import { usage } from './arguments.ts';
import type { Io } from './io.ts';
import { printWarnings } from './print-problems.ts';
import { projectOptions } from './project.ts';

/** The run that AGENT and EVALSET arguments and flags ask for. */
export async function prepareFromArguments(
  [agent, ...evalSets]: readonly string[],
  asked: Pick<PrepareRunOptions, 'cases' | 'filter' | 'config' | 'agentName' | 'only'> & {
    readonly settings: Settings;
  },
  form: string,
  io: Io,
): Promise<PreparedRun> {
  if (agent === undefined) throw usage(`name an agent and an eval set: ${form} (see --help)`);
  const named = evalSets.length > 0 ? evalSets : await setsOfAgent(agent);
  if (named.length === 0) {
    if (isUrl(agent)) throw usage(`name at least one eval set: ${form} (see --help)`);
    // Without an agent there, its eval sets are not what is missing.
    await findAgent(agent);
    throw usage(`there is no eval set in the folder of the agent ${agent}; name one: ${form} (see --help)`);
  }
  const prepared = await prepareRun({ ...asked, ...projectOptions(asked.settings, io), agent, evalSets: named });
  printPrepared(prepared, io);
  return prepared;
}

/** Which files add to the environment (their names and those of the variables, never a value), and what is odd. */
export function printPrepared({ project, warnings }: PreparedRun, io: Io): void {
  for (const { file, names } of project.environment.files) {
    if (names.length > 0) io.err(`environment: ${names.map(safe).join(', ')} from ${safe(file)}\n`);
  }
  printWarnings(warnings, io);
}
