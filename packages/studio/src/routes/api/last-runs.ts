import { CriteriaError } from '@agent-criteria/core';
import type { Summary } from '@agent-criteria/core/host';
import { openRun, type RunListing } from '@agent-criteria/runner';
import type { LastRun } from '../../api.ts';
import { appOfRun } from '../../runs/agents-of-run.ts';
import { createRunCache } from '../../runs/cache.ts';
import { shownListing } from '../../runs/run-folder.ts';
import type { Studio } from '../../studio.ts';

/** Maximum number of runs considered, newest first. */
const SEEN = 100;

/** Lists the result of the most recent finished run of each eval set, without runs of some cases. */
export function lastRunsOf(studio: Studio): () => Promise<readonly LastRun[]> {
  const bySet = summariesBySet();
  return async () => {
    const found = new Map<string, LastRun>();
    for (const id of studio.runListings.ids().slice(0, SEEN)) {
      const listing = studio.runListings.get(id);
      const app = listing === null ? undefined : appOfRun(studio.apps, listing)?.name;
      if (listing === null || app === undefined || listing.endedAt === null || listing.selection !== undefined)
        continue;
      for (const evalSetId of listing.sets) {
        const key = JSON.stringify([app, evalSetId]);
        // Ids are sortable only to the second, so start times decide.
        const known = found.get(key);
        if (known !== undefined && known.startedAt >= listing.startedAt) continue;
        const summary = (await bySet(listing)).get(evalSetId);
        if (summary === undefined) continue;
        const { verdicts, total } = summary;
        const verdict = verdictOf(listing, summary);
        found.set(key, { app, evalSetId, run: id, startedAt: listing.startedAt, verdict, verdicts, total });
      }
    }
    return [...found.values()];
  };
}

/** Returns the verdict of a set. If a gate fails the whole run, none of its sets has passed. */
function verdictOf(listing: RunListing, { verdict }: Summary): LastRun['verdict'] {
  const whole = shownListing(listing);
  if (whole === null) return verdict;
  if (listing.sets.length === 1) return whole.verdict;
  const isTurned = whole.exitCode !== 0 && listing.summary?.exitCode === 0;
  return isTurned ? whole.verdict : verdict;
}

/** Reads the summaries of a run by set. Opens a run of several sets for that, and reopens it only if it has changed. */
function summariesBySet() {
  const cache = createRunCache<ReadonlyMap<string, Summary>>(SEEN);
  return async ({ folder, sets, summary }: RunListing): Promise<ReadonlyMap<string, Summary>> => {
    if (summary === null) return new Map();
    const [only, ...others] = sets;
    if (only !== undefined && others.length === 0) return new Map([[only, summary]]);
    return cache.read(folder, '', () => readSummaries(folder));
  };
}

/** Returns no summaries for a run that cannot be read. */
function readSummaries(folder: string): ReadonlyMap<string, Summary> {
  try {
    return new Map(openRun(folder).sets.map((set) => [set.id, set.summary]));
  } catch (error) {
    if (CriteriaError.is(error)) return new Map();
    throw error;
  }
}
