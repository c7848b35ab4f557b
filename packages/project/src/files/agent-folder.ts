import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CriteriaError, didYouMean } from '@agent-criteria/core';
import { didYouMeanPath } from './similar-path.ts';

const ENDING = '.evalset.json';

/**
 * Returns the folder that contains an agent's eval sets: AGENT itself, or the folder of its module.
 * @throws CriteriaError AGENT_NOT_FOUND.
 */
export async function agentFolder(agent: string): Promise<string> {
  try {
    return (await stat(agent)).isDirectory() ? agent : dirname(agent);
  } catch (cause) {
    const near = await didYouMeanPath(agent);
    const message = `there is no such file or folder${near || '; name the module or the folder of the agent'}`;
    throw new CriteriaError({ code: 'AGENT_NOT_FOUND', file: agent, message }, { cause });
  }
}

/** Returns the name of the app in ADK, which is the name of the agent's folder. */
export function appName(folder: string): string {
  return basename(resolve(folder));
}

/** Returns the path of the eval set with this id. */
export function evalSetFile(folder: string, id: string): string {
  return join(folder, `${id}${ENDING}`);
}

/** Lists the ids of the sets in an agent's folder, taken from their file names, sorted. */
export async function evalSetIds(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith(ENDING))
    .map((name) => name.slice(0, -ENDING.length))
    .toSorted();
}

/**
 * Finds the file of an agent's eval set.
 *
 * @param agent Its module or folder.
 * @param id The id of the set, or the path of a file.
 * @throws CriteriaError AGENT_NOT_FOUND, or FILE_NOT_FOUND with the known ids.
 */
export async function findEvalSet(agent: string, id: string): Promise<string> {
  const folder = await agentFolder(agent);
  for (const file of [evalSetFile(folder, id), id]) if (await isFile(file)) return file;
  const ids = await evalSetIds(folder);
  const there =
    ids.length === 0
      ? 'there are none yet; create one with agent-criteria eval_set create'
      : `there are ${ids.join(', ')}`;
  const message = `there is no eval set "${id}"${didYouMean(id, ids) || `; ${there}`}`;
  throw new CriteriaError({ code: 'FILE_NOT_FOUND', file: folder, message });
}

async function isFile(path: string): Promise<boolean> {
  try {
    return !(await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
