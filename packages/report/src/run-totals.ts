import { collectStatistics, type RunAnalysis, type StatisticsFacts } from '@agent-criteria/analysis';
import {
  addMasked,
  addMaskedCases,
  addSimulated,
  addUsage,
  type MaskedCases,
  type MaskedCounts,
  maskedIn,
  type RunCase,
  type RunRecord,
  type SimulatedCounts,
  simulatedIn,
  type TotalUsage,
  totalUsageOf,
} from '@agent-criteria/results';
import { addEndings, type EndingCounts, endingsOf } from './endings.ts';

/** Totals over many cases. Plain JSON. */
export interface CaseTotals {
  readonly usage: TotalUsage;
  readonly endings: EndingCounts;
  /** The tool calls that something else answered in place of the tool. */
  readonly simulated: SimulatedCounts;
  readonly masked: MaskedCounts;
  readonly maskedCases: MaskedCases;
}

/** Totals of a run, with statistics for each variant, or a single entry if there are none. Plain JSON. */
export interface RunTotals extends CaseTotals {
  readonly statistics: readonly RunAnalysis[];
}

export const NO_TOTALS: CaseTotals = { usage: {}, endings: {}, simulated: {}, masked: {}, maskedCases: [] };

export function addCase(totals: CaseTotals, one: RunCase): CaseTotals {
  const masked = maskedIn(one);
  const maskedCases = Object.keys(masked).length === 0 ? [] : [one.result.caseId];
  const simulated = simulatedIn(one.inferences);
  return addTotals(totals, { usage: totalUsageOf(one), endings: endingsOf(one), simulated, masked, maskedCases });
}

export function addTotals(left: CaseTotals, right: CaseTotals): CaseTotals {
  return {
    usage: addUsage(left.usage, right.usage),
    endings: addEndings(left.endings, right.endings),
    simulated: addSimulated(left.simulated, right.simulated),
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
