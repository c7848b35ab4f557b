import { collectStatistics, type RunAnalysis, type StatisticsFacts } from '@agent-criteria/analysis';
import {
  addMasked,
  addMaskedCases,
  addUsage,
  type MaskedCases,
  type MaskedCounts,
  maskedIn,
  type RunCase,
  type RunRecord,
  type TotalUsage,
  totalUsageOf,
} from '@agent-criteria/results';
import { addEndings, type EndingCounts, endingsOf } from './endings.ts';

/** Totals over many cases. Plain JSON. */
export interface CaseTotals {
  readonly usage: TotalUsage;
  readonly endings: EndingCounts;
  readonly masked: MaskedCounts;
  readonly maskedCases: MaskedCases;
}

/** Totals of a run, with statistics for each variant, or a single entry if there are none. Plain JSON. */
export interface RunTotals extends CaseTotals {
  readonly statistics: readonly RunAnalysis[];
}

export const NO_TOTALS: CaseTotals = { usage: {}, endings: {}, masked: {}, maskedCases: [] };

export function addCase(totals: CaseTotals, one: RunCase): CaseTotals {
  const masked = maskedIn(one);
  const maskedCases = Object.keys(masked).length === 0 ? [] : [one.result.caseId];
  return addTotals(totals, { usage: totalUsageOf(one), endings: endingsOf(one), masked, maskedCases });
}

export function addTotals(left: CaseTotals, right: CaseTotals): CaseTotals {
  return {
    usage: addUsage(left.usage, right.usage),
    endings: addEndings(left.endings, right.endings),
    masked: addMasked(left.masked, right.masked),
    maskedCases: addMaskedCases(left.maskedCases, right.maskedCases),
  };
}

/** Computes the totals of cases. */
export async function totalsOfCases(cases: AsyncIterable<RunCase>): Promise<CaseTotals> {
  let totals = NO_TOTALS;
  for await (const one of cases) totals = addCase(totals, one);
  return totals;
}

/** Collects totals while cases are read for another purpose. Each case must be added once, in the order of the run. */
export function collectTotals(
  run: RunRecord,
  facts: StatisticsFacts = {},
): { add(one: RunCase): void; list(): RunTotals } {
  let totals = NO_TOTALS;
  const statistics = collectStatistics(run, facts);
  return {
    add(one) {
      totals = addCase(totals, one);
      statistics.add(one);
    },
    list: () => ({ ...totals, statistics: statistics.list() }),
  };
}

/** Reads all cases of a run once to compute its totals. */
export async function totalsOf(run: RunRecord, facts: StatisticsFacts = {}): Promise<RunTotals> {
  const totals = collectTotals(run, facts);
  for await (const one of run.cases()) totals.add(one);
  return totals.list();
}
