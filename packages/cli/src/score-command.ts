import { CriteriaError } from '@agent-criteria/core';
import { collectProblems, settingsOfFlags, uniqueProblems } from '@agent-criteria/project';
import { openRun } from '@agent-criteria/runner';
import { atMost, parseFlags } from './arguments.ts';
import { commandFlags } from './command-flags.ts';
import { dryRun } from './dry-run.ts';
import { executeRun } from './execute-run.ts';
import { findRun } from './find-run.ts';
import type { Io } from './io.ts';
import { printEnvironment } from './prepare-run.ts';
import { printWarnings } from './print-problems.ts';
import { openProject } from './project.ts';
import { planRecordedSets } from './recorded-sets.ts';
import { reportFiles } from './report-file.ts';

/** `agent-criteria score [RUN]`: what a run has recorded is judged by today's references, rubrics and criteria. */
export async function scoreCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, commandFlags.score);
  atMost(1, positionals, 'agent-criteria score [RUN]');
  const reports = reportFiles(flags.output ?? []);
  const given = settingsOfFlags(flags);
  const folder = findRun(positionals[0], (await openProject(undefined, given, io)).runsFolder);
  const opened = openRun(folder);
  const project = await openProject(opened.plan.agent.path ?? undefined, given, io);
  const found = collectProblems();
  const again = { same: false, cases: flags.case ?? [], config: flags.config_file_path };
  const compat = project.config.settings.compat ?? opened.plan.compat;
  const options = { project, compat, only: 'scores' } as const;
  const sets = await planRecordedSets(opened, again, options, found);
  found.throwIfAny();
  if (sets.length === 0) {
    const message = `the run has none of these cases: ${again.cases.join(', ')}`;
    throw new CriteriaError({ code: 'UNKNOWN_CASE', file: folder, message });
  }
  printEnvironment(project, io);
  printWarnings(uniqueProblems(sets.flatMap((set) => set.warnings ?? [])), io);
  const telling = {
    ...{ judged: true, json: flags.json === true, detailed: flags.print_detailed_results === true },
    reports,
  };
  const { repeats } = opened.plan;
  if (flags.dry_run === true) return dryRun({ sets, project, repeats, json: flags.json === true }, io);
  return executeRun({ ...telling, sets, project, agent: null, folder, repeats }, io);
}
