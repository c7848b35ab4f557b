import { resolve } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import type { Verdict } from '@agent-criteria/core/host';
import { type OpenedRun, openRun } from '@agent-criteria/runner';
import type { Project } from '../config/open-project.ts';
import type { FailedCases } from '../plan/case-filter.ts';
import { findRun, nameOfRun, runsOfAgents } from './find-run.ts';

/**
 * Finds the cases that did not pass in the run that `word` names. "last" is the last judged run of these agents: if it was of
 * some cases, the other cases count with the verdict of the run before it, and so on up to a run of all cases.
 *
 * @throws CriteriaError RUN_NOT_FOUND; USAGE if the run was never judged.
 */
export async function failedInRun(
  word: string,
  agents: readonly { readonly file: string; readonly agentName: string | undefined }[],
  project: Project,
): Promise<FailedCases> {
  if (word !== 'last') return failedCases([openRun(findRun(word, project.runsFolder))], project);
  const runs: OpenedRun[] = [];
  for (const run of runsOfAgents(agents, project)) {
    runs.push(run);
    if (run.info.selection === undefined) break;
  }
  if (runs.length > 0) return failedCases(runs, project);
  const message =
    'no judged run of this agent was found, so it is not known which cases failed: run them all first, or name a run with --failed-in RUN';
  throw new CriteriaError({ code: 'RUN_NOT_FOUND', file: project.runsFolder, message });
}

/**
 * Finds the cases that did not pass when they were last scored. This includes cases that a run did not reach.
 *
 * @param runs Newest first: a case counts with its verdict in the first of them that has it.
 * @throws CriteriaError USAGE if the newest run was never judged.
 */
export async function failedCases(runs: readonly OpenedRun[], project: Project): Promise<FailedCases> {
  const [newest] = runs as readonly [OpenedRun];
  const run = nameOfRun(newest.folder, project);
  if (newest.scoringPlan === null) {
    const message = `run ${run} was never judged, so no case has failed in it: judge it with agent-criteria score ${run}`;
    throw new CriteriaError({ code: 'USAGE', file: newest.folder, message });
  }
  const cases = new Map<string, boolean>();
  const ofFile = new Map<string, string>();
  for (const opened of runs) {
    for (const { id, file } of opened.sets)
      if (file !== null) ofFile.set(resolve(file), ofFile.get(resolve(file)) ?? id);
    for (const [key, isFailed] of await casesOf(opened)) if (!cases.has(key)) cases.set(key, isFailed);
  }
  return {
    run,
    ids: [...new Set(runs.flatMap(({ info }) => [info.id, ...(info.selection?.failedIn ?? [])]))],
    count: [...cases.values()].filter((isFailed) => isFailed).length,
    total: cases.size,
    has({ setId, file }, caseId) {
      // Two sets may share an id, and a run that was started elsewhere has different paths.
      const id = (file === null ? undefined : ofFile.get(resolve(file))) ?? setId;
      return cases.get(caseKey(id, caseId)) === true;
    },
  };
}

/** Returns whether each case of a run failed. With several agents, a case fails if it does so with any of them. */
async function casesOf(run: OpenedRun): Promise<ReadonlyMap<string, boolean>> {
  const cases = new Map<string, boolean>();
  for await (const { setId, evalCase, result } of run.heads()) {
    const key = caseKey(setId, evalCase.evalId);
    cases.set(key, cases.get(key) === true || isFailure(result.verdict));
  }
  return cases;
}

function isFailure(verdict: Verdict): boolean {
  return verdict !== 'passed' && verdict !== 'informational';
}

function caseKey(setId: string, caseId: string): string {
  return JSON.stringify([setId, caseId]);
}
