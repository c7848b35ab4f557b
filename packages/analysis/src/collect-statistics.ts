import type { RunRecord } from '@agent-criteria/results';
import { analyseRun, type RunAnalysis } from './analyse-run.ts';
import type { MeasuredFile } from './measured.ts';
import { collectOutcomes, type MoreFacts } from './run-outcomes.ts';

/** Facts for statistics that are not in the record of a run. */
export interface StatisticsFacts extends MoreFacts {
  /** Measurements of judges. Default: none. */
  readonly measured?: readonly MeasuredFile[] | undefined;
}

/** Collects statistics from cases that are read anyway. */
export function collectStatistics(run: RunRecord, facts: StatisticsFacts = {}) {
  const outcomes = collectOutcomes(run, facts);
  // Rates of a part of a run would be misleading.
  const isPart = run.info.onlyFailed === true || run.summary.total === 0;
  return {
    /** Adds a case; each case once, in the order of the run. */
    add: outcomes.add,
    /**
     * Returns an entry for each variant, or a single one.
     *
     * @param measured Default: that of the facts.
     */
    list: (measured = facts.measured): readonly RunAnalysis[] =>
      isPart ? [] : outcomes.list().map((one) => analyseRun(one, { measured })),
  };
}
