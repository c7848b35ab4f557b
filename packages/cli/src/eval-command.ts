import { isUrl } from '@agent-criteria/runner/load';
import { parseFlags, usage } from './arguments.ts';
import { readCallFlags } from './call-flags.ts';
import { commandFlags } from './command-flags.ts';
import { dryRun } from './dry-run.ts';
import { executeRun } from './execute-run.ts';
import type { Io } from './io.ts';
import { prepareRun } from './prepare-run.ts';
import { reportFiles } from './report-file.ts';
import { readRunFlags } from './run-flags.ts';

/** `agent-criteria eval AGENT EVALSET...`: everything is checked, then everything is run, and what failed is shown last. */
export async function evalCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, commandFlags.eval);
  const { repeats, compat, limits } = readRunFlags(flags);
  const reports = reportFiles(flags.output ?? []);
  const leaveNothing = flags.no_run_folder === true;
  if (leaveNothing && flags.runs_folder !== undefined)
    throw usage('--runs_folder and --no_run_folder contradict each other');
  const evalHistory = flags.eval_history === true ? positionals[0] : undefined;
  if (evalHistory !== undefined && isUrl(evalHistory)) throw usage('--eval_history needs an agent with a folder');
  const given = readCallFlags(flags);
  const callFlags = leaveNothing ? { ...given, calls: { ...given.calls, cache: false as const } } : given;
  const asked = {
    ...{ config: flags.config_file_path, agentName: flags.agent_name, compat, callFlags },
    ...{ cases: flags.case ?? [], runsFolder: flags.runs_folder },
  };
  const prepared = await prepareRun(positionals, asked, 'agent-criteria eval AGENT EVALSET', io);
  const first = reports.find(({ format }) => format === 'adk');
  if (first !== undefined && prepared.sets.length > 1) {
    const instead = 'give --eval_history, or agent-criteria report --format adk --output FOLDER after the run';
    throw usage(`"${first.file}" can hold one eval set, and there are ${prepared.sets.length}: ${instead}`);
  }
  if (flags.dry_run === true)
    return dryRun({ ...prepared, repeats, calls: callFlags.calls, json: flags.json === true }, io);
  return executeRun(
    {
      ...prepared,
      callFlags,
      ...{ judged: true, json: flags.json === true, detailed: flags.print_detailed_results === true },
      ...{ repeats, limits, leaveNothing, reports },
      evalHistory,
    },
    io,
  );
}
