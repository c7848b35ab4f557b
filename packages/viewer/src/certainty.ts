import {
  collectStatistics,
  type MeasuredFile,
  type StatisticsFacts,
  type StatisticsSection,
  statisticsSections,
} from '@agent-criteria/analysis';
import type { RunCase, RunRecord } from '@agent-criteria/results';

/** How certain the numbers of a run are, in words, a line each; of one variant where there are several. Plain JSON. */
export type Certainty = StatisticsSection;

/** Takes every case of a run while its page is made. Empty at the end where nothing can be said. */
export function certaintyOf(
  run: RunRecord,
  facts: StatisticsFacts = {},
): { add(one: RunCase): void; list(measured?: readonly MeasuredFile[]): readonly Certainty[] } {
  const { add, list } = collectStatistics(run, facts);
  return { add, list: (measured) => statisticsSections(list(measured), (text) => text) };
}
