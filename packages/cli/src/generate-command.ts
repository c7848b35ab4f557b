import { parseFlags } from './arguments.ts';
import { readCallFlags } from './call-flags.ts';
import { commandFlags } from './command-flags.ts';
import { executeRun } from './execute-run.ts';
import type { Io } from './io.ts';
import { prepareRun } from './prepare-run.ts';
import { readRunFlags } from './run-flags.ts';

/** `agent-criteria generate AGENT EVALSET...`: the agent is run and recorded, and nothing is judged yet. */
export async function generateCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, commandFlags.generate);
  const { repeats, limits } = readRunFlags(flags);
  const callFlags = readCallFlags(flags);
  const asked = {
    callFlags,
    config: flags.config_file_path,
    agentName: flags.agent_name,
    cases: flags.case ?? [],
    runsFolder: flags.runs_folder,
    compat: null,
    only: 'inferences',
  } as const;
  const prepared = await prepareRun(positionals, asked, 'agent-criteria generate AGENT EVALSET', io);
  const telling = { judged: false, json: flags.json === true, detailed: false };
  return executeRun({ ...prepared, ...telling, callFlags, repeats, limits }, io);
}
