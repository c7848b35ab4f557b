import { findRun, nameOfRun, settingsOfFlags } from '@agent-criteria/project';
import { type Reporter, reporters, saveEvalHistory, writeReport } from '@agent-criteria/report';
import { safe, safeJson } from '@agent-criteria/report/terminal';
import { isUrl, type OpenedRun, openRun } from '@agent-criteria/runner';
import { atMost, oneOf, parseFlags, usage, wholeNumber } from './arguments.ts';
import { commandFlags } from './command-flags.ts';
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
  const project = await openProject(undefined, settingsOfFlags(flags), io);
  const folder = findRun(positionals[0], project.runsFolder);
  const opened = openRun(folder, { scoring: wholeNumber('scoring', flags.scoring) });
  const run = nameOfRun(folder, project);
  const options = {
    color: io.color && output === undefined,
    detailed: flags.print_detailed_results === true,
    command: (_set: string, caseId: string) => showCommand(run, caseId),
    setId: flags.eval_set,
  };
  const history = flags.eval_history === true ? historyFolder(opened) : null;
  // Whoever asks for nothing but the history wants nothing printed.
  if (output === undefined && (history === null || asked !== undefined)) {
    const reporter: Reporter = reporters[format];
    const isJson = format === 'json' || format === 'adk';
    for await (const piece of reporter.write(opened, options)) io.out(isJson ? safeJson(piece) : piece);
  }
  const written = output === undefined ? [] : await writeReport(opened, format, output, options);
  const saved = history === null ? [] : await saveEvalHistory(opened, history);
  for (const file of [...written, ...saved]) {
    const told = `Written: ${safe(file)}\n`;
    // Standard output may hold a report.
    if (output === undefined && asked !== undefined) io.err(told);
    else io.out(told);
  }
  return 0;
}

/** @throws CriteriaError USAGE for a run whose agent has no folder. */
function historyFolder({ plan: { agent } }: OpenedRun): string {
  if (agent.path !== null && !isUrl(agent.path)) return agent.path;
  throw usage(`--eval_history needs an agent with a folder, but the agent of this run (${agent.name}) has none`);
}
