import { CriteriaError } from '@agent-criteria/core';
import { collectProblems, settingsOfFlags, uniqueProblems } from '@agent-criteria/project';
import { openRun } from '@agent-criteria/runner';
import { atMost, oneOf, parseFlags } from './arguments.ts';
import { commandFlags } from './command-flags.ts';
import { executeRun } from './execute-run.ts';
import { findRun } from './find-run.ts';
import type { Io } from './io.ts';
import { foundAgent, printEnvironment } from './prepare-run.ts';
import { printWarnings } from './print-problems.ts';
import { openProject } from './project.ts';
import { planRecordedSets } from './recorded-sets.ts';
import { reportFiles } from './report-file.ts';

/** `agent-criteria resume [RUN]`: what a run did not come to is done, and what was an error is done again. */
export async function resumeCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, commandFlags.resume);
  atMost(1, positionals, 'agent-criteria resume [RUN]');
  const rerun = oneOf('rerun', flags.rerun, ['failed', 'errored', 'all']);
  const given = settingsOfFlags(flags);
  const folder = findRun(positionals[0], (await openProject(undefined, given, io)).runsFolder);
  const opened = openRun(folder);
  const { agent, repeats, compat } = opened.plan;
  const { path, agentName } = agent;
  if (path === null) {
    const message = `the agent of this run (${agent.name}) was no module: go on with it from the code that began it`;
    throw new CriteriaError({ code: 'AGENT_NOT_FOUND', file: folder, message });
  }
  const project = await openProject(path, given, io);
  const found = collectProblems();
  const again = { same: true, cases: [], config: undefined };
  // A run whose scorings were lost is judged once more.
  const judged = opened.plan.judged === true || opened.scoringPlan !== null;
  const only = judged ? undefined : 'inferences';
  const options = {
    project,
    compat: opened.scoringPlan?.compat ?? compat,
    only,
  } as const;
  const sets = await planRecordedSets(opened, again, options, found);
  found.throwIfAny();
  printEnvironment(project, io);
  printWarnings(uniqueProblems(sets.flatMap((set) => set.warnings ?? [])), io);
  const telling = {
    judged,
    json: flags.json === true,
    detailed: flags.print_detailed_results === true,
    reports: reportFiles(flags.output ?? []),
  };
  const loaded = foundAgent({ path, file: path, agentName }, sets, project);
  return executeRun({ ...telling, sets, project, agent: loaded, folder, repeats, rerun }, io);
}
