import { runOutcomes, type TrendRun, trendRun } from '@agent-criteria/analysis';
import { usedBy } from '@agent-criteria/project/runs';
import type { CaseKey } from '@agent-criteria/results';
import { type OpenedRun, openRun } from '@agent-criteria/runner';
import { createRunCache } from './cache.ts';

/** One entry per variant, or the reason why the run is left out, or `null` if the run does not contain the set. */
export type ReadTrendRun = readonly TrendRun[] | string | null;

/** Limit in cases, about 100 MB. Entries are small but slow to read. */
const MOST = 400_000;

export type TrendRuns = ReturnType<typeof createTrendRuns>;

/** Creates a cache of runs for trends. */
export function createTrendRuns() {
  const kept = createRunCache<ReadTrendRun>(MOST, weightOf);
  return {
    /** @param isFile Whether a file is the set's own; runs of other files with the same id are ignored. */
    read: (folder: string, setId: string, isFile: (path: string) => Promise<boolean>) =>
      kept.read(folder, setId, () => readRun(openRun(folder), setId, isFile)),
  };
}

/** Returns the weight of an entry: one, plus the number of its cases unless the run is left out. */
function weightOf(found: ReadTrendRun): number {
  return Array.isArray(found) ? found.reduce((sum: number, { cases }: TrendRun) => sum + cases.size, 1) : 1;
}

async function readRun(
  run: OpenedRun,
  setId: string,
  isFile: (path: string) => Promise<boolean>,
): Promise<ReadTrendRun> {
  const { info, summary, warnings } = run;
  const sets = run.sets.filter(({ id }) => id === setId);
  const [set] = sets;
  if (set === undefined || set.file === null || !(await isFile(set.file))) return null;
  if (info.scoring === 0) return 'not judged';
  if (info.units.finished < info.units.total) return 'not finished';
  if (info.selection !== undefined) return 'of chosen cases only';
  const only = {
    info,
    sets,
    summary,
    warnings,
    cases: () => run.cases(setId),
    case: (key: CaseKey) => run.case(key),
  };
  return (await runOutcomes(only, { used: usedBy(run) })).map((one) => trendRun(one));
}
