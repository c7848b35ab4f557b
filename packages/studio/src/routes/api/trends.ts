import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type TrendRun, trendsOf } from '@agent-criteria/analysis';
import { listRun } from '@agent-criteria/runner';
import { Hono } from 'hono';
import type { SetTrends } from '../../api.ts';
import { appOf } from '../../apps/app-of.ts';
import { runIds } from '../../runs/run-folder.ts';
import { isInside } from '../../security/inside-folder.ts';
import { openSet } from '../../sets/open-set.ts';
import { setOf } from '../../sets/set-of.ts';
import type { Studio } from '../../studio.ts';

/** As many runs as a chart can show, the newest. */
const MOST = 40;

/** The numbers of a set over time: each run with its interval, and what keeps two of them from being compared. */
export function trendRoutes(studio: Studio): Hono {
  return new Hono().get('/apps/:app/sets/:set/trends', async (c) => {
    const found = await setOf(studio, appOf(studio, c), c.req.param('set'));
    const { evalSetId } = (await openSet(found)).value;
    const file = await real(found.file);
    const isFile = async (path: string) => (await real(path)) === file;
    const runs: TrendRun[] = [];
    const left = new Map<string, number>();
    let [shown, older] = [0, false];
    for (const id of await runIds(studio)) {
      const folder = join(studio.runsFolder, id);
      // A link that leads out of the folder of runs is none of them.
      const listing = (await isInside(studio.runsFolder, folder)) ? listRun(folder) : null;
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
    return c.json({
      trends: trendsOf(runs),
      runs: shown,
      left: [...left].map(([why, number]) => ({ why, runs: number })),
      older,
    } satisfies SetTrends);
  });
}

async function real(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}
