import type { RunRecord } from '@agent-criteria/results';
import { analyseRun, type RunAnalysis } from './analyse-run.ts';
import type { MeasuredFile } from './measured.ts';
import { collectOutcomes, type MoreFacts } from './run-outcomes.ts';

/** Facts that statistics need and that a run's record does not contain. */
export interface StatisticsFacts extends MoreFacts {
  /** Measurements of judges. Default: none. */
  readonly measured?: readonly MeasuredFile[] | undefined;
}

/** Collects statistics from cases that are being read anyway. */
export function collectStatistics(run: RunRecord, facts: StatisticsFacts = {}) {
  const outcomes = collectOutcomes(run, facts);
  // Rates over part of a run would be misleading.
  const isPart = run.info.onlyFailed === true || run.summary.total === 0;
  return {
    /** Adds a case. Must be called once per case, in the order of the run. */
    add: outcomes.add,
    /**
     * Returns one entry per variant, or a single one. Empty for a record of failed cases only.
     *
     * @param measured Default: `facts.measured`.
     */
    list: (measured = facts.measured): readonly RunAnalysis[] =>
      isPart ? [] : outcomes.list().map((one) => analyseRun(one, { measured })),
  };
}
