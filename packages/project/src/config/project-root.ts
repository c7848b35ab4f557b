import { dirname, join, relative, resolve } from 'node:path';
import { RUNS_FOLDER } from '@agent-criteria/runner';
import { folderOf, kindOf } from '../files/path-kind.ts';

/**
 * Finds the folder of a project, whichever folder a command is called from: that of its config, or else the nearest
 * folder with a `package.json` at or above the agent, or else the working folder.
 *
 * @param config The project's config, as `findProjectConfig` returns it.
 * @param from An agent's folder or module. For a URL, or by default, the search starts at the working folder.
 */
export async function findProjectRoot(config: string | null | undefined, from = '.'): Promise<string> {
  if (config) return dirname(config);
  const start = resolve(await folderOf(from));
  for (let folder = start; ; folder = dirname(folder)) {
    if ((await kindOf(join(folder, 'package.json'))) === 'file') return folder;
    if (dirname(folder) === folder) return resolve('.');
  }
}

/** Returns the folder for runs of a project without the setting `runsFolder`, relative to the working folder. */
export async function defaultRunsFolder(config: string | null | undefined, from?: string): Promise<string> {
  return relative('.', join(await findProjectRoot(config, from), RUNS_FOLDER));
}
