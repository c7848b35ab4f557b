import { dirname, isAbsolute, resolve, sep } from 'node:path';
import { existsSync } from '../node-fs.ts';
import { isUrl, shownPath } from '../paths.ts';
import { RUNS_FOLDER } from './layout.ts';

/**
 * Returns the folder to which the paths in a run's plans are relative: the project of its runs folder, so that they mean
 * the same files in every working folder, or else the working folder.
 */
function baseOf(runFolder: string, workingFolder: string): string {
  const runs = dirname(resolve(runFolder));
  return runs.endsWith(sep + RUNS_FOLDER) ? dirname(dirname(runs)) : workingFolder;
}

/** Returns a path from a run's plan relative to the working folder if it is inside, and absolute otherwise. */
export function pathInRun(runFolder: string, path: string, workingFolder = resolve('.')): string {
  if (isUrl(path) || isAbsolute(path)) return path;
  const base = baseOf(runFolder, workingFolder);
  if (base === workingFolder) return path;
  const file = resolve(base, path);
  // Older versions wrote paths relative to their working folder.
  return !existsSync(file) && existsSync(resolve(workingFolder, path)) ? path : shownPath(file, workingFolder);
}

/** Returns a path as a run's plan stores it. */
function storedPath(runFolder: string, path: string, workingFolder: string): string {
  if (isUrl(path)) return path;
  const base = baseOf(runFolder, workingFolder);
  return base === workingFolder ? path : shownPath(resolve(workingFolder, path), base);
}

interface WithPaths {
  readonly agent?: { readonly path: string | null };
  readonly variants?: readonly { readonly path: string | null }[] | undefined;
  readonly sets: readonly { readonly file: string | null; readonly configFile?: string | null }[];
}

function mapPaths<P extends WithPaths>(plan: P, change: (path: string) => string): P {
  const changed = (path: string | null) => path && change(path);
  const ofAgent = <A extends { readonly path: string | null }>(agent: A): A => ({
    ...agent,
    path: changed(agent.path),
  });
  return {
    ...plan,
    ...(plan.agent && { agent: ofAgent(plan.agent) }),
    ...(plan.variants && { variants: plan.variants.map(ofAgent) }),
    sets: plan.sets.map((set) => ({
      ...set,
      file: changed(set.file),
      ...(set.configFile === undefined ? {} : { configFile: changed(set.configFile) }),
    })),
  };
}

/**
 * Returns a plan whose paths are relative to the working folder, from one as it is stored.
 * @param workingFolder Default: that of the process, which an agent may have changed.
 */
export function withPathsFromHere<P extends WithPaths>(runFolder: string, plan: P, workingFolder?: string): P {
  return mapPaths(plan, (path) => pathInRun(runFolder, path, workingFolder));
}

/** Returns a plan as it is stored, from one whose paths are relative to the working folder. */
export function withStoredPaths<P extends WithPaths>(runFolder: string, plan: P, workingFolder = resolve('.')): P {
  return mapPaths(plan, (path) => storedPath(runFolder, path, workingFolder));
}
