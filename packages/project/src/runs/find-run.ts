import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CriteriaError, didYouMean } from '@agent-criteria/core';
import { type AgentRecord, isUrl, type OpenedRun, openRun, type RunPlan } from '@agent-criteria/runner';
import type { Project } from '../config/open-project.ts';
import type { FailedCases } from '../plan/case-filter.ts';

/**
 * Finds the folder of a run: the last one, or the one with this path, id or id prefix.
 * @throws CriteriaError RUN_NOT_FOUND with the known runs; USAGE for an empty string, and for an ambiguous prefix;
 *   FILE_UNREADABLE if the folder for runs exists but cannot be read.
 */
export function findRun(word: string | undefined, runsFolder: string): string {
  if (word !== undefined && word.trim() === '') {
    const message = 'an empty text was given in place of a run: probably a variable that is empty or not set';
    throw new CriteriaError({ code: 'USAGE', message });
  }
  const runs = runsIn(runsFolder);
  if (word === undefined || word === 'last') {
    const last = runs.at(-1);
    if (last !== undefined) return join(runsFolder, last);
    const message = 'no runs yet; create one with agent-criteria eval';
    throw new CriteriaError({ code: 'RUN_NOT_FOUND', file: runsFolder, message });
  }
  if (runs.includes(word)) return join(runsFolder, word);
  if (isRun(word)) return word;
  const meant = runs.filter((id) => id.startsWith(word));
  if (meant.length === 1 && meant[0] !== undefined) return join(runsFolder, meant[0]);
  if (meant.length > 1) {
    const message = `several runs start with "${word}": ${meant.slice(-5).join(', ')}`;
    throw new CriteriaError({ code: 'USAGE', file: runsFolder, message });
  }
  const there = runs.length === 0 ? 'there is none' : `the last are ${runs.slice(-5).join(', ')}`;
  const message = `there is no run "${word}"${didYouMean(word, runs) || `; ${there}`}`;
  throw new CriteriaError({ code: 'RUN_NOT_FOUND', file: runsFolder, message });
}

/** Returns the name of a run in a command: its id if that is enough, or else its path. */
export function nameOfRun(folder: string, { runsFolder, knowsIds }: Pick<Project, 'runsFolder' | 'knowsIds'>): string {
  if (knowsIds && resolve(folder, '..') === resolve(runsFolder)) return basename(folder);
  const inside = relative('.', folder);
  return inside.startsWith('..') || isAbsolute(inside) ? folder : inside;
}

function isRun(path: string): boolean {
  try {
    return statSync(join(path, 'plan.json')).isFile();
  } catch {
    return false;
  }
}

/** Lists the names of the runs in a folder, newest last. */
export function runsIn(runsFolder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(runsFolder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    const message = `the saved runs cannot be listed: ${(error as Error).message}`;
    throw new CriteriaError({ code: 'FILE_UNREADABLE', file: runsFolder, message }, { cause: error });
  }
  return names
    .flatMap((name) => {
      const begun = beginning(join(runsFolder, name));
      return begun === null ? [] : [{ name, begun }];
    })
    .sort((a, b) => a.begun - b.begun || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
}

/**
 * Returns when a run started or, if its plan is damaged, the time of the plan's file. Returns `null` if the folder is
 * not a run.
 */
function beginning(folder: string): number | null {
  const file = join(folder, 'plan.json');
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) return null;
  try {
    const { createdAt } = JSON.parse(readFileSync(file, 'utf8'));
    return typeof createdAt === 'number' ? createdAt : stats.mtimeMs;
  } catch {
    return stats.mtimeMs;
  }
}

/** An agent of a run, with the name of its variant if it has one. */
export interface RecordedAgent extends AgentRecord {
  readonly variant?: string | undefined;
}

/** Returns the agents with which a run was started: one, or several side by side. */
export function recordedAgents({ agent, variants }: RunPlan): readonly RecordedAgent[] {
  return variants ?? [agent];
}

/**
 * Finds the cases of a run that did not pass when it was last scored. This includes cases that the run did not reach.
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
    // With several agents, a case has one result for each, and fails if any of them does.
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
      // Two sets may share an id, and a run that was started elsewhere has different paths.
      const id = (file === null ? undefined : ofFile.get(resolve(file))) ?? setId;
      return failed.get(id)?.has(caseId) === true;
    },
  };
}

/**
 * Opens the run that `word` names; "last" is the last judged run of this agent.
 * @param counts Decides which of the agent's runs "last" considers. Default: all.
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
