import { join } from 'node:path';
import { type TrendRun, trendsOf } from '@agent-criteria/analysis';
import type { Params, SetTrends } from '../../api.ts';
import { isInside } from '../../security/inside-folder.ts';
import { openSet, real, setOf } from '../../sets/find-sets.ts';
import type { Studio } from '../../studio.ts';

/** Maximum number of runs in a chart, newest first. */
const MOST = 40;

/** Serves the metrics of a set over time: each run with its interval, and changes that make runs incomparable. */
export function trendRoutes(studio: Studio) {
  const trends = async ({ app, set }: Params<'GET /apps/:app/sets/:set/trends'>): Promise<SetTrends> => {
    const found = await setOf(studio, app, set);
    const { evalSetId } = (await openSet(found)).value;
    const file = await real(found.file);
    const isFile = async (path: string) => (await real(path)) === file;
    const runs: TrendRun[] = [];
    const left = new Map<string, number>();
    let [shown, older] = [0, false];
    for (const id of studio.runListings.ids()) {
      const folder = join(studio.runsFolder, id);
      // Ignores links that lead outside the run folder.
      const listing = (await isInside(studio.runsFolder, folder)) ? studio.runListings.get(id) : null;
      if (listing === null || !listing.sets.includes(evalSetId)) continue;
      if (shown === MOST) {
        older = true;
        break;
      }
      const read =
        listing.problem === undefined
          ? await studio.trendRuns.read(folder, evalSetId, isFile).catch(() => 'not readable')
          : 'not readable';
      if (typeof read === 'string') left.set(read, (left.get(read) ?? 0) + 1);
      else if (read !== null) {
        runs.push(...read);
        shown += 1;
      }
    }
    return {
      trends: trendsOf(runs),
      runs: shown,
      left: [...left].map(([why, number]) => ({ why, runs: number })),
      older,
    };
  };
  return { 'GET /apps/:app/sets/:set/trends': trends };
}
