import { relative, sep } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { findDatasets, findEvalSets } from '@agent-criteria/project/files';
import type { App } from '../apps/app.ts';
import { isInside } from '../security/inside-folder.ts';

export interface FoundSet {
  /** What requests call it by. ADK's own sets, in the app's folder, have the name of their file; `a/home.test.json` is `a.home.test`. */
  readonly id: string;
  readonly file: string;
}

/**
 * The eval set files of an app, and its datasets of agents-cli, in its folder and below, by id. Requests name ids, which are looked up here: no request is ever part of
 * a path. A link that leads out of the folder is left out.
 *
 * @param others The other apps: what is in their folders is theirs.
 */
export async function findSets({ folder }: App, others: readonly App[] = []): Promise<readonly FoundSet[]> {
  const below = others
    .filter((other) => other.folder.startsWith(`${folder}${sep}`))
    .map((other) => `${other.folder}${sep}`);
  const found = new Map<string, string>();
  for (const file of await filesOf(folder)) {
    if (below.some((other) => file.startsWith(other)) || !(await isInside(folder, file))) continue;
    const id = idOf(relative(folder, file));
    if (!found.has(id)) found.set(id, file);
  }
  return [...found].map(([id, file]) => ({ id, file })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function idOf(path: string): string {
  return path
    .split(sep)
    .join('.')
    .replace(/\.evalset\.json$/i, '')
    .replace(/\.json$/i, '');
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const datasets = await findDatasets(folder);
  try {
    return [...(await findEvalSets(folder)), ...datasets];
  } catch (error) {
    if (CriteriaError.is(error) && error.code === 'EMPTY') return datasets;
    throw error;
  }
}
