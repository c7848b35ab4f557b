import { settingsOfFlags } from '@agent-criteria/project';
import { isUrl } from '@agent-criteria/runner';
import { parseFlags, usage } from './arguments.ts';
import { caseFilter } from './case-filter.ts';
import { commandFlags } from './command-flags.ts';
import { dryRun } from './dry-run.ts';
import { executeAndTell } from './execute-and-tell.ts';
import type { Io } from './io.ts';
import { prepareFromArguments } from './prepare.ts';
import { reportFiles } from './report-file.ts';
import { shownFlag } from './shown-flag.ts';

/** `agent-criteria eval AGENT EVALSET...`: everything is checked, then everything is run, and what failed is shown last. */
export async function evalCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, commandFlags.eval);
  const set = settingsOfFlags(flags);
  const reports = reportFiles(flags.output ?? []);
  const leaveNothing = flags.no_run_folder === true;
  for (const [flag, value] of Object.entries({ runs_folder: set.runsFolder, cache: set.cache || undefined })) {
    if (leaveNothing && value !== undefined)
      throw usage(`${shownFlag(flag)} and --no-run-folder contradict each other`);
  }
  const evalHistory = flags.eval_history === true ? positionals[0] : undefined;
  if (evalHistory !== undefined && isUrl(evalHistory)) throw usage('--eval-history needs an agent with a folder');
  const asked = {
    config: flags.config_file_path,
    agentName: flags.agent_name,
    cases: flags.case ?? [],
    filter: caseFilter(flags),
    settings: leaveNothing ? { ...set, cache: false as const } : set,
  };
  const prepared = await prepareFromArguments(positionals, asked, 'agent-criteria eval AGENT EVALSET', io);
  const first = reports.find(({ format }) => format === 'adk');
  if (first !== undefined && prepared.sets.length > 1) {
    const instead = 'use --eval-history, or run agent-criteria report --format adk --output FOLDER afterwards';
    throw usage(`"${first.file}" can hold only one eval set, but there are ${prepared.sets.length}: ${instead}`);
  }
  const json = flags.json === true;
  if (flags.dry_run === true) return dryRun(prepared, json, io);
  const detailed = flags.print_detailed_results === true;
  return executeAndTell(prepared, { json, detailed, leaveNothing, reports, evalHistory }, io);
}
