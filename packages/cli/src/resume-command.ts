import { prepareRun } from '@agent-criteria/project';
import { settingsOfFlags } from '@agent-criteria/project/config';
import type { Given } from './command-flags.ts';
import { executeAndReport } from './execute-and-report.ts';
import { askedGates, oneOf } from './flag-values.ts';
import type { Io } from './io.ts';
import { printPrepared } from './prepare.ts';
import { projectOptions } from './project.ts';
import { reportFiles } from './report-file.ts';

/** Runs the missing cases of a run, and repeats those that ended in an error. */
export async function resumeCommand({ flags, positionals }: Given<'resume'>, io: Io): Promise<number> {
  const rerun = oneOf('rerun', flags.rerun, ['failed', 'errored', 'all']);
  const gates = askedGates(flags);
  const prepared = await prepareRun({
    ...projectOptions(settingsOfFlags(flags), io),
    source: { kind: 'resume', run: positionals[0] },
  });
  printPrepared(prepared, io);
  const detailed = flags.print_detailed_results === true;
  const reports = reportFiles(flags.output ?? []);
  return executeAndReport(prepared, { json: flags.json === true, detailed, reports, rerun, gates }, io);
}
