import type { RunCase, RunRecord } from '@agent-criteria/results';
import { analyseRun, type RunAnalysis } from './analyse-run.ts';
import type { MeasuredFile } from './measured.ts';
import { collectOutcomes, type MoreFacts } from './run-outcomes.ts';

/** What the record of a run does not say, and statements about it need. */
export interface StatisticsFacts extends MoreFacts {
  /** Measurements of judges. Default: none. */
  readonly measured?: readonly MeasuredFile[] | undefined;
}

/** How certain the numbers of a run are, of cases that are read for something else anyway. */
export interface StatisticsCollection {
  /** Takes each case once, in the order of the run. */
  add(one: RunCase): void;
  /**
   * An entry for each variant, or a single one.
   *
   * @param measured Default: that of the facts.
   */
  list(measured?: readonly MeasuredFile[]): readonly RunAnalysis[];
}

export function collectStatistics(run: RunRecord, facts: StatisticsFacts = {}): StatisticsCollection {
  const outcomes = collectOutcomes(run, facts);
  // Of a part of a run, rates would be those of the part.
  const isPart = run.info.onlyFailed === true || run.summary.total === 0;
  return {
    add: outcomes.add,
    list: (measured = facts.measured) => (isPart ? [] : outcomes.list().map((one) => analyseRun(one, { measured }))),
  };
}
