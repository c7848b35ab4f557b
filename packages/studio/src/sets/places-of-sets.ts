import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { RunSetPlace } from '../api.ts';
import type { Studio } from '../studio.ts';
import { findSets } from './find-sets.ts';

/**
 * Where the eval sets of a run are edited: those whose file is a set of this studio. A file of another folder by the same name is none
 * of them, and neither are JSON Lines and datasets of agents-cli, which can only be run.
 *
 * @param files By the id of the set in the run, as the run names them.
 */
export async function placesOfSets(
  { apps }: Pick<Studio, 'apps'>,
  files: ReadonlyMap<string, string | null>,
): Promise<readonly RunSetPlace[]> {
  const places: RunSetPlace[] = [];
  for (const [runSet, file] of files) {
    if (file === null || /(\.jsonl|-dataset\.json)$/i.test(file)) continue;
    const wanted = await real(file);
    for (const app of apps) {
      if (!wanted.startsWith(`${await real(app.folder)}${sep}`)) continue;
      for (const found of await findSets(app, apps)) {
        if ((await real(found.file)) === wanted) places.push({ runSet, app: app.name, set: found.id });
      }
    }
  }
  return places;
}

/** A file that is gone is nobody's. */
async function real(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}
