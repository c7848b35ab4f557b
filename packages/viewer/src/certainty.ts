import { analyseRun, collectOutcomes, statisticsLines } from '@agent-criteria/analysis';
import type { RunCase, RunRecord } from '@agent-criteria/results';

/** How certain the numbers of a run are, in words, a line each; of one variant where there are several. Plain JSON. */
export interface Certainty {
  readonly variant?: string | undefined;
  readonly lines: readonly string[];
}

/** Takes every case of a run while its page is made. Empty at the end where nothing can be said. */
export function certaintyOf(run: RunRecord): { add(one: RunCase): void; list(): readonly Certainty[] } {
  const outcomes = collectOutcomes(run);
  return {
    add: outcomes.add,
    list: () =>
      run.info.onlyFailed === true
        ? []
        : outcomes.list().flatMap((one) => {
            const lines = statisticsLines(analyseRun(one), (text) => text);
            return lines.length === 0 ? [] : [one.variant === undefined ? { lines } : { variant: one.variant, lines }];
          }),
  };
}
