import { statSync } from 'node:fs';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CriteriaError, didYouMean } from '@agent-criteria/core';
import { type AgentRecord, isUrl, type OpenedRun, openRun, type RunPlan, readRunName } from '@agent-criteria/runner';
import type { Project } from '../config/open-project.ts';
import { isWholeRunIn, runBefore } from './run-before.ts';
import { runHeads, runIdsIn } from './run-heads.ts';

/** Matches `last`, and `last~2` for the run two before it. */
const LAST = /^last(?:~(\d{1,4}))?$/;
/** Matches the hash of a commit, or its beginning. */
const COMMIT = /^[0-9a-f]{4,40}$/i;

/**
 * Finds the folder of a run by a word: its id or the start of it, its path, its name, or the hash of its commit, of which
 * at least 4 digits are needed. `last`, the default, is the last run of all cases of its eval sets; `last~1` is the whole
 * run of the same eval sets and agents before it, and so on. A name, or a commit, with several runs is the newest of them;
 * for a commit, of all cases.
 * @throws CriteriaError RUN_NOT_FOUND with the known runs; USAGE for an empty string, and for an ambiguous word;
 *   FILE_UNREADABLE if the folder for runs exists but cannot be read.
 */
export function findRun(word: string | undefined, runsFolder: string): string {
  if (word !== undefined && word.trim() === '') {
    const message = 'an empty text was given in place of a run: probably a variable that is empty or not set';
    throw new CriteriaError({ code: 'USAGE', message });
  }
  const last = LAST.exec(word ?? 'last');
  if (last !== null) return lastRun(Number(last[1] ?? 0), runsFolder);
  const named = word as string;
  const runs = runIdsIn(runsFolder);
  if (runs.includes(named)) return join(runsFolder, named);
  if (isRun(named)) return named;
  const called = runs.find((id) => readRunName(join(runsFolder, id)) === named);
  if (called !== undefined) return join(runsFolder, called);
  const meant = runs.filter((id) => id.startsWith(named)).toReversed();
  const commits = COMMIT.test(named) ? runsOfCommits(named.toLowerCase(), runsFolder) : [];
  const [only, ...others] = [...meant, ...commits.map(({ id }) => id)];
  if (only !== undefined && others.length === 0) return join(runsFolder, only);
  if (only !== undefined) {
    const shown = [...meant.slice(-5), ...commits.map(({ id, commit }) => `${id} (commit ${commit})`)];
    const message = `several runs ${commits.length === 0 ? `start with "${named}"` : `are called "${named}"`}: ${shown.join(', ')}`;
    throw new CriteriaError({ code: 'USAGE', file: runsFolder, message });
  }
  const there = runs.length === 0 ? 'there is none' : `the last are ${newest(runs)}`;
  const message = `there is no run "${named}"${didYouMean(named, runs) || `; ${there}`}`;
  throw new CriteriaError({ code: 'RUN_NOT_FOUND', file: runsFolder, message });
}

function newest(ids: readonly string[]): string {
  return ids.slice(0, 5).toReversed().join(', ');
}

/** Finds the last whole run, or the one `back` before it. */
function lastRun(back: number, runsFolder: string): string {
  const notFound = (message: string) => new CriteriaError({ code: 'RUN_NOT_FOUND', file: runsFolder, message });
  let passedOver: string | undefined;
  for (const { id, folder, isOfSelection } of runHeads(runsFolder)) {
    if (isOfSelection) {
      passedOver ??= id;
      continue;
    }
    let run = folder;
    for (let count = 1; count <= back; count += 1) {
      const before = runBefore(openRun(run), runsFolder);
      if (before === null) {
        throw notFound(
          `there is no run "last~${back}": before ${basename(run)} there is no finished, judged run of all cases of the same eval sets and agent`,
        );
      }
      run = before.folder;
    }
    return run;
  }
  if (passedOver === undefined) throw notFound('no runs yet; create one with agent-criteria eval');
  throw notFound(
    `"last" is the last run of all cases of its eval sets, and all runs here are of some cases: name one by its id (the newest is ${passedOver}), or run all cases with agent-criteria eval`,
  );
}

/** Returns the newest whole run of each commit that begins with these digits, or the newest run if none is whole. */
function runsOfCommits(
  digits: string,
  runsFolder: string,
): readonly { readonly id: string; readonly commit: string }[] {
  const found = new Map<string, { readonly id: string; readonly commit: string; readonly isWhole: boolean }>();
  for (const { id, folder, commit, isOfSelection } of runHeads(runsFolder)) {
    if (commit === null || !commit.startsWith(digits) || found.get(commit)?.isWhole === true) continue;
    const isWhole = !isOfSelection && isWholeRunIn(folder);
    if (isWhole || !found.has(commit)) found.set(commit, { id, commit: commit.slice(0, 12), isWhole });
  }
  return [...found.values()];
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

/** An agent of a run, with the name of its variant if it has one. */
export interface RecordedAgent extends AgentRecord {
  readonly variant?: string | undefined;
}

/** Returns the agents with which a run was started: one, or several side by side. */
export function recordedAgents({ agent, variants }: RunPlan): readonly RecordedAgent[] {
  return variants ?? [agent];
}

/** Opens the judged runs of these agents, newest first and one at a time. */
export function* runsOfAgents(
  agents: readonly { readonly file: string; readonly agentName: string | undefined }[],
  { runsFolder }: Pick<Project, 'runsFolder'>,
): Generator<OpenedRun> {
  const wanted = agents.map(({ file, agentName }) => agentText(file, agentName)).sort();
  for (const id of runIdsIn(runsFolder)) {
    const opened = openIfReadable(join(runsFolder, id));
    if (opened === null || opened.scoringPlan === null) continue;
    const ran = recordedAgents(opened.plan).map(({ path, agentName }) => path && agentText(path, agentName));
    if (isDeepStrictEqual(ran.sort(), wanted)) yield opened;
  }
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
