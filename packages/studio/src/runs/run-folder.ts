import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ShownOutcome, shownOutcome } from '@agent-criteria/results/text';
import { listRun, type RunListing } from '@agent-criteria/runner';
import { refusal } from '../http/refusal.ts';
import { isInside } from '../security/inside-folder.ts';
import type { Studio } from '../studio.ts';
import type { RememberedRun } from './opened-runs.ts';

/** Matches the start time, to the second, that ids begin with. */
const SECOND = /^\d{8}-\d{6}(?=-)/;

/** Lists run ids, newest first. Runs that started in the same second are ordered by millisecond. */
export async function runIds(studio: Pick<Studio, 'runsFolder'>): Promise<readonly string[]> {
  const ids = (await unsortedIds(studio)).toSorted(descending);
  const secondOf = (id: string | undefined) => (id === undefined ? undefined : SECOND.exec(id)?.[0]);
  const starts = new Map<string, number>();
  for (const [index, id] of ids.entries()) {
    const second = secondOf(id);
    const isAlone = second !== secondOf(ids[index - 1]) && second !== secondOf(ids[index + 1]);
    // Reads a run only if its id is ambiguous.
    if (second !== undefined && !isAlone) starts.set(id, (await listInside(studio, id))?.startedAt ?? 0);
  }
  return ids.toSorted((a, b) => {
    if (secondOf(a) !== secondOf(b)) return descending(a, b);
    return (starts.get(b) ?? 0) - (starts.get(a) ?? 0) || descending(a, b);
  });
}

function descending(a: string, b: string): number {
  return a < b ? 1 : -1;
}

async function unsortedIds({ runsFolder }: Pick<Studio, 'runsFolder'>): Promise<readonly string[]> {
  const names = await readdir(runsFolder).catch(() => []);
  return names.filter((name) => existsSync(join(runsFolder, name, 'plan.json')));
}

/** Finds the folder of the run in a request. @throws A 404 refusal. */
export async function runFolder(studio: Pick<Studio, 'runsFolder'>, id: string): Promise<string> {
  const { runsFolder } = studio;
  const folder = (await unsortedIds(studio)).find((one) => one === id);
  if (folder !== undefined && (await isInside(runsFolder, join(runsFolder, folder)))) return join(runsFolder, folder);
  throw refusal(404, `There is no run "${id}".`);
}

/** Reads the summary of a run, or returns `null` for a link that leads outside the run folder. */
export async function listInside({ runsFolder }: Pick<Studio, 'runsFolder'>, id: string): Promise<RunListing | null> {
  const folder = join(runsFolder, id);
  return (await isInside(runsFolder, folder)) ? listRun(folder) : null;
}

/** Returns the outcome of a listed run, or `null` if the run was not judged. */
export function shownListing({ summary, outcome, variants }: RunListing): ShownOutcome | null {
  if (summary === null || outcome === null) return null;
  return shownOutcome({ summary, outcome, info: { variants } });
}

/** Opens the run in a request. @throws A 404 refusal. */
export async function openedRun(studio: Pick<Studio, 'runsFolder' | 'openedRuns'>, id: string): Promise<RememberedRun> {
  return studio.openedRuns.open(await runFolder(studio, id));
}
