import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { CriteriaError, didYouMean } from '@agent-criteria/core';
import type { Project } from '../config/open-project.ts';

/**
 * The folder of a run: the last one, or by the path of its folder, its id, or the beginning of that.
 * @throws CriteriaError RUN_NOT_FOUND with the runs that there are; USAGE for an empty text, and where a beginning means several;
 *   FILE_UNREADABLE where the folder of runs is there and cannot be read.
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

/** What names a run in a command: its id where that is enough, else its path. */
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

/** The names of the runs of a folder, the newest last. */
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

/** When a run began, one with a damaged plan by its file; `null`: it is none. */
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
