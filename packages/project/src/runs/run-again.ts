import { CriteriaError } from '@agent-criteria/core';
import { openRun } from '@agent-criteria/runner';
import { openProject } from '../config/open-project.ts';
import { collectProblems } from '../files/collect-problems.ts';
import { warningsOf } from '../plan/plan-sets.ts';
import { chooseRecordedCases, planRecordedSets } from '../plan/recorded-sets.ts';
import { failedCases } from './failed-cases.ts';
import { findRun, recordedAgents } from './find-run.ts';
import { foundAgent } from './new-run.ts';
import type { PreparedRun, PrepareRunOptions, RunSource } from './prepared-run.ts';

/** Prepares to continue an existing run, or to judge it again. */
export async function runAgain(
  { kind, run }: Extract<RunSource, { readonly kind: 'resume' | 'rescore' }>,
  options: PrepareRunOptions,
): Promise<PreparedRun> {
  const isResumed = kind === 'resume';
  const { cases: ids = [], filter = {}, config } = isResumed ? {} : options;
  const { failedIn } = filter;
  const folder = findRun(run, (await openProject(options)).runsFolder);
  const opened = openRun(folder);
  const { plan, scoringPlan } = opened;
  const recorded = recordedAgents(plan);
  if (isResumed) {
    for (const { variant, name, path } of recorded) if (path === null) throw notAModule(variant, name, folder);
  }
  const project = await openProject({ ...options, agent: recorded[0]?.path ?? undefined });
  const found = collectProblems();
  const failed = await found.attempt(async () => {
    if (failedIn === undefined) return null;
    return failedCases([failedIn === 'last' ? opened : openRun(findRun(failedIn, project.runsFolder))], project);
  });
  const chosen = await found.attempt(() => chooseRecordedCases(opened, { ids, filter, failed: failed ?? undefined }));
  // A run that was judged but has lost its scores is judged once more.
  const judged = !isResumed || plan.judged === true || scoringPlan !== null;
  const compat = isResumed ? (scoringPlan?.compat ?? plan.compat) : (project.config.settings.compat ?? plan.compat);
  const sets = await planRecordedSets(
    opened,
    { same: isResumed, chosen: chosen?.cases, config },
    { project, compat, only: isResumed ? (judged ? undefined : 'inferences') : 'scores' },
    found,
  );
  found.throwIfAny();
  const agents = recorded.map(({ variant, path, agentName }) => {
    const runs = isResumed && path !== null;
    return { variant, agent: runs ? foundAgent({ path, file: path, agentName }, sets, project) : null };
  });
  const selection = isResumed ? plan.selection : chosen?.selection;
  const { repeats, auto } = plan;
  const source = { kind, folder };
  return { project, sets, agents, source, selection, repeats, auto, judged, warnings: warningsOf(sets) };
}

function notAModule(variant: string | undefined, name: string, folder: string): CriteriaError {
  const whose = variant === undefined ? 'the agent of this run' : `the agent of the variant "${variant}"`;
  const message = `${whose} (${name}) was not a module: continue the run from the code that started it`;
  return new CriteriaError({ code: 'AGENT_NOT_FOUND', file: folder, message });
}
