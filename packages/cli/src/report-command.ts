import { type Reporter, reporters, writeReport } from '@agent-criteria/report';
import { safe } from '@agent-criteria/report/terminal';
import { openRun } from '@agent-criteria/runner';
import { atMost, oneOf, parseFlags, wholeNumber } from './arguments.ts';
import { commandFlags } from './command-flags.ts';
import { findRun, nameOfRun } from './find-run.ts';
import type { Io } from './io.ts';
import { openProject } from './project.ts';
import { formats, reportFile } from './report-file.ts';
import { showCommand } from './tell-run.ts';

/** `agent-criteria report [RUN]`: a run that has come to its end, or not yet, in any format, without running anything. */
export async function reportCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, commandFlags.report);
  atMost(1, positionals, 'agent-criteria report [RUN]');
  const asked = oneOf('format', flags.format, formats);
  const { output } = flags;
  const format = asked ?? (output === undefined ? 'console' : reportFile(output).format);
  const { runsFolder } = await openProject(undefined, flags.runs_folder, io);
  const folder = findRun(positionals[0], runsFolder);
  const opened = openRun(folder, { scoring: wholeNumber('scoring', flags.scoring) });
  const run = nameOfRun(folder, runsFolder);
  const options = {
    color: io.color && output === undefined,
    detailed: flags.print_detailed_results === true,
    command: (_set: string, caseId: string) => showCommand(run, caseId),
    ...(flags.eval_set === undefined ? {} : { setId: flags.eval_set }),
  };
  if (output === undefined) {
    const reporter: Reporter = reporters[format];
    for await (const piece of reporter.write(opened, options)) io.out(piece);
    return 0;
  }
  for (const file of await writeReport(opened, format, output, options)) io.out(`Written: ${safe(file)}\n`);
  return 0;
}
