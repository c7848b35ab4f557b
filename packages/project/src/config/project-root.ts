import { dirname, join, relative, resolve } from 'node:path';
import { RUNS_FOLDER } from '@agent-criteria/runner';
import { pathExists } from '../files/path-kind.ts';
import { projectConfigIn } from './project-config.ts';

/**
 * Finds the folder of the project around the working folder. In a Git repository, this is the outermost folder with a
 * project config or a package, so that the packages of a workspace share their runs, or else the repository's own.
 * Elsewhere, it is the nearest folder with a config, or else with a package, or else the working folder.
 */
export async function findProjectRoot(): Promise<string> {
  const configs: string[] = [];
  const packages: string[] = [];
  for (let folder = resolve('.'); ; folder = dirname(folder)) {
    if ((await projectConfigIn(folder)) !== undefined) configs.push(folder);
    if (await pathExists(join(folder, 'package.json'))) packages.push(folder);
    if (await pathExists(join(folder, '.git'))) {
      // Each is above the working folder, so the shorter path is that of the outer folder.
      const [outermost = folder] = [...configs, ...packages].sort((a, b) => a.length - b.length);
      return outermost;
    }
    if (dirname(folder) === folder) return configs[0] ?? packages[0] ?? resolve('.');
  }
}

/** Returns the folder for runs of a project without the setting `runsFolder`, relative to the working folder. */
export async function defaultRunsFolder(): Promise<string> {
  return relative('.', join(await findProjectRoot(), RUNS_FOLDER));
}
