import { analyseRun, type RunAnalysis, runOutcomes } from '@agent-criteria/analysis';
import type { RunRecord } from '@agent-criteria/results';

/** What a run says of its agent and how certain that is: an entry for each of its variants, or a single one. Reads every case. */
export async function statisticsOf(run: RunRecord): Promise<readonly RunAnalysis[]> {
  // Of a part of a run, rates would be those of the part.
  if (run.info.onlyFailed === true) return [];
  return (await runOutcomes(run)).map((one) => analyseRun(one));
}
