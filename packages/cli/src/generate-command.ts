import { settingsOfFlags } from '@agent-criteria/project';
import { parseFlags } from './arguments.ts';
import { commandFlags } from './command-flags.ts';
import { executeRun } from './execute-run.ts';
import type { Io } from './io.ts';
import { prepareRun } from './prepare-run.ts';

/** `agent-criteria generate AGENT EVALSET...`: the agent is run and recorded, and nothing is judged yet. */
export async function generateCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, commandFlags.generate);
  const asked = {
    given: settingsOfFlags(flags),
    config: flags.config_file_path,
    agentName: flags.agent_name,
    cases: flags.case ?? [],
    only: 'inferences',
  } as const;
  const prepared = await prepareRun(positionals, asked, 'agent-criteria generate AGENT EVALSET', io);
  const telling = { judged: false, json: flags.json === true, detailed: false };
  const { repeats = 1 } = prepared.project.config.settings;
  return executeRun({ ...prepared, ...telling, repeats }, io);
}
