import { openRun } from '@agent-criteria/runner';
import { refusal } from '../http/refusal.ts';
import type { Studio } from '../studio.ts';
import { runFolder } from './run-folder.ts';

/** Runs that are looked at. Older ones are left out. */
const MOST_READ = 500;

/**
 * Lists the newest finished, judged runs of the same eval sets, newest first. The given run is always one of them. Runs
 * of chosen cases are left out.
 */
export async function runsOfSameSets(
  studio: Pick<Studio, 'runsFolder' | 'runListings'>,
  id: string,
  limit: number,
): Promise<readonly string[]> {
  const { runListings } = studio;
  await runFolder(studio, id);
  const own = runListings.get(id);
  if (own === null) throw refusal(404, `There is no run "${id}".`);
  const sets = textOf(own.sets);
  const found: string[] = [];
  for (const one of runListings.ids().slice(0, MOST_READ)) {
    if (found.length === limit) break;
    if (one === id) found.push(one);
    else {
      const listing = runListings.get(one);
      if (listing === null || listing.summary === null || listing.endedAt === null) continue;
      if (textOf(listing.sets) !== sets || openRun(listing.folder).info.selection !== undefined) continue;
      found.push(one);
    }
  }
  return found.includes(id) ? found : [...found.slice(0, limit - 1), id];
}

function textOf(sets: readonly string[]): string {
  return JSON.stringify([...sets].sort());
}
