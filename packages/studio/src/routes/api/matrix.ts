import { runFolder } from '../../runs/run-folder.ts';
import { runsOfSameSets } from '../../runs/runs-of-same-sets.ts';
import type { Studio } from '../../studio.ts';
import { type Handlers, wholeNumber } from './handlers.ts';

/** Most columns of runs. */
const MOST = 50;

/** Serves runs as columns of a matrix. */
export function matrixRoutes(studio: Studio) {
  return {
    'GET /runs/:run/columns': async ({ run, query }) =>
      studio.runColumns.read(await runFolder(studio, run), run, query.answers === 'true'),
    'GET /runs/:run/same-sets': ({ run, query }) =>
      runsOfSameSets(studio, run, Math.min(Math.max(wholeNumber(query.limit, 'limit', 10), 1), MOST)),
  } satisfies Partial<Handlers>;
}
