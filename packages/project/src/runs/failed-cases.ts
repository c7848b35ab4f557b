import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CriteriaError } from '@agent-criteria/core';
import { isUrl, type OpenedRun, openRun } from '@agent-criteria/runner';
import type { Project } from '../config/open-project.ts';
import type { FailedCases } from '../plan/case-filter.ts';
import { findRun, nameOfRun, runsIn } from './find-run.ts';
import { recordedAgents } from './recorded-agents.ts';

/**
 * The cases that did not pass in a run, by its last scoring. A case that the run did not reach has not passed either.
 *
 * @throws CriteriaError USAGE if the run was never judged.
 */
export async function failedCases(opened: OpenedRun, project: Project): Promise<FailedCases> {
  const run = nameOfRun(opened.folder, project);
  if (opened.scoringPlan === null) {
    const message = `run ${run} was never judged, so no case has failed in it: judge it with agent-criteria score ${run}`;
    throw new CriteriaError({ code: 'USAGE', file: opened.folder, message });
  }
  const failed = new Map<string, Set<string>>(opened.sets.map(({ id }) => [id, new Set()]));
  const all = new Set<string>();
  for await (const { setId, evalCase, result } of opened.cases()) {
    // With several agents, a case is there once for each, and fails where one does.
    all.add(JSON.stringify([setId, evalCase.evalId]));
    if (result.verdict === 'passed' || result.verdict === 'informational') continue;
    failed.get(setId)?.add(evalCase.evalId);
  }
  const count = [...failed.values()].reduce((sum, ids) => sum + ids.size, 0);
  const ofFile = new Map(opened.sets.flatMap(({ id, file }) => (file === null ? [] : [[resolve(file), id]])));
  return {
    run,
    ids: [opened.info.id, ...(opened.info.selection?.failedIn ?? [])],
    count,
    total: all.size,
    has({ setId, file }, caseId) {
      // Two sets may have one id; a run that was started elsewhere has other paths.
      const id = (file === null ? undefined : ofFile.get(resolve(file))) ?? setId;
      return failed.get(id)?.has(caseId) === true;
    },
  };
}

/**
 * The run that `word` names; of "last", the last one of this agent that was judged.
 * @param counts Which of these runs count. Default: all.
 * @throws CriteriaError RUN_NOT_FOUND.
 */
export function runToCompare(
  word: string,
  agents: readonly { readonly file: string; readonly agentName: string | undefined }[],
  { runsFolder }: Pick<Project, 'runsFolder'>,
  counts: (opened: OpenedRun) => boolean = () => true,
): OpenedRun {
  if (word !== 'last') return openRun(findRun(word, runsFolder));
  const wanted = agents.map(({ file, agentName }) => agentText(file, agentName)).sort();
  for (const folder of runsIn(runsFolder).toReversed()) {
    const opened = openIfReadable(findRun(folder, runsFolder));
    if (opened === null || opened.scoringPlan === null || !counts(opened)) continue;
    const ran = recordedAgents(opened.plan).map(({ path, agentName }) => path && agentText(path, agentName));
    if (isDeepStrictEqual(ran.sort(), wanted)) return opened;
  }
  const message =
    'no judged run of this agent was found, so it is not known which cases failed: run them all first, or name a run with --failed-in RUN';
  throw new CriteriaError({ code: 'RUN_NOT_FOUND', file: runsFolder, message });
}

function agentText(agent: string, agentName: string | undefined): string {
  return JSON.stringify([isUrl(agent) ? agent : resolve(agent), agentName]);
}

function openIfReadable(folder: string): OpenedRun | null {
  try {
    return openRun(folder);
  } catch (error) {
    if (CriteriaError.is(error)) return null;
    throw error;
  }
}
