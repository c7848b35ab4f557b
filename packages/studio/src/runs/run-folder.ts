import { join } from 'node:path';
import { type ShownOutcome, shownOutcome } from '@agent-criteria/results/text';
import type { RunListing } from '@agent-criteria/runner';
import { refusal } from '../http/refusal.ts';
import { isInside } from '../security/inside-folder.ts';
import type { Studio } from '../studio.ts';
import type { RememberedRun } from './opened-runs.ts';

/** Finds the folder of the run in a request. @throws A 404 refusal. */
export async function runFolder(studio: Pick<Studio, 'runsFolder' | 'runListings'>, id: string): Promise<string> {
  const { runsFolder, runListings } = studio;
  const folder = join(runsFolder, id);
  if (runListings.has(id) && (await isInside(runsFolder, folder))) return folder;
  throw refusal(404, `There is no run "${id}".`);
}

/** Returns the outcome of a listed run, or `null` if the run was not judged. */
export function shownListing({ summary, outcome, variants }: RunListing): ShownOutcome | null {
  if (summary === null || outcome === null) return null;
  return shownOutcome({ summary, outcome, info: { variants } });
}

/** Opens the run in a request. @throws A 404 refusal. */
export async function openedRun(
  studio: Pick<Studio, 'runsFolder' | 'runListings' | 'openedRuns'>,
  id: string,
): Promise<RememberedRun> {
  return studio.openedRuns.open(await runFolder(studio, id));
}
