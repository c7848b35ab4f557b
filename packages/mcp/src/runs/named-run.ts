import { CriteriaError } from '@agent-criteria/core';
import type { Project } from '@agent-criteria/project';
import { findRun } from '@agent-criteria/project/runs';
import { isInside } from '../project/path-inside.ts';

/**
 * Finds the folder of a run by the word that a client gave: an id or the start of one, a name, a commit, `last` or `last~1`, but never
 * a path.
 *
 * @param word With a variant after `#`, if the caller takes one.
 * @throws CriteriaError USAGE for a path, or a link that leads out of the folder for runs; RUN_NOT_FOUND.
 */
export async function namedRun(word: string, { runsFolder }: Pick<Project, 'runsFolder'>): Promise<string> {
  if (/[/\\\0]|^\.|\.json$|^[a-z]:/i.test(word)) {
    const message = `"${word}" looks like a path: name a run by its id, its name, its commit, "last" or "last~1" (list_runs lists them)`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  const folder = findRun(word, runsFolder);
  if (await isInside(runsFolder, folder)) return folder;
  throw new CriteriaError({ code: 'USAGE', message: `the run "${word}" is not in the project's folder for runs` });
}
