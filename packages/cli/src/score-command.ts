import { prepareRescore, settingsOfFlags } from '@agent-criteria/project';
import { atMost, parseFlags } from './arguments.ts';
import { caseFilter } from './case-filter.ts';
import { commandFlags } from './command-flags.ts';
import { dryRun } from './dry-run.ts';
import { executeAndTell } from './execute-and-tell.ts';
import type { Io } from './io.ts';
import { printPrepared } from './prepare.ts';
import { projectOptions } from './project.ts';
import { reportFiles } from './report-file.ts';

/** `agent-criteria score [RUN]`: what a run has recorded is judged by today's references, rubrics and criteria. */
export async function scoreCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, commandFlags.score);
  atMost(1, positionals, 'agent-criteria score [RUN]');
  const reports = reportFiles(flags.output ?? []);
  const prepared = await prepareRescore(positionals[0], {
    ...projectOptions(settingsOfFlags(flags), io),
    cases: flags.case,
    filter: caseFilter(flags),
    config: flags.config_file_path,
  });
  printPrepared(prepared, io);
  const json = flags.json === true;
  if (flags.dry_run === true) return dryRun(prepared, json, io);
  return executeAndTell(prepared, { json, detailed: flags.print_detailed_results === true, reports }, io);
}
