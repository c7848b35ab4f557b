import type { Unknown } from '@agent-criteria/statistics';
import { passesOf, scoresOf, scoresTooLarge } from './case-values.ts';
import { MIN_EFFECT } from './change.ts';
import { type CaseValues, type Estimate, estimateOf, RATE } from './estimate.ts';
import type { CriterionFacts } from './instrument.ts';
import { type JudgeStatus, judgeStatuses } from './judge-status.ts';
import type { MeasuredFile } from './measured.ts';
import { type AnnouncedPower, announcedPower } from './power/announced-power.ts';
import { type RepeatAnalysis, repeatAnalysis } from './repeats.ts';
import type { RunOutcomes } from './run-outcomes.ts';
import type { StoppedEarly } from './stopped-early.ts';
import { type UndeclaredGroups, undeclaredGroups } from './undeclared-groups.ts';

/** The results of a run, with their uncertainty. Plain JSON. */
export interface RunAnalysis {
  readonly id: string;
  readonly variant?: string | undefined;
  /** Whether every unit is inferred and scored. Otherwise the numbers cover only part of the run. */
  readonly finished: boolean;
  /** The confidence level of intervals. */
  readonly level: number;
  /** The share of repeats that pass, with equal weight for each case, or `null` if no criterion decides. */
  readonly passRate: Estimate | null;
  readonly criteria: readonly CriterionAnalysis[];
  /** The savings from stopping cases early. Absent if the number of repeats is fixed. */
  readonly stoppedEarly?: StoppedEarly | undefined;
  /** `null` if no case ran more than once. */
  readonly repeats: RepeatAnalysis | null;
  /** `null` if no criterion decides, or if cases may stop early, which would bias the estimate. */
  readonly power: AnnouncedPower | Unknown | null;
  /** Cases that seem to belong together without a declared group. Absent if there are none. */
  readonly undeclaredGroups?: UndeclaredGroups | undefined;
  /** Measurements of the judges. Absent if no criterion is judged. */
  readonly judges?: readonly JudgeStatus[] | undefined;
}

/** The mean of a criterion over cases. */
export interface CriterionAnalysis
  extends Estimate,
    Pick<CriterionFacts, 'name' | 'decides' | 'byDefault' | 'range' | 'threshold'> {}

export interface AnalysisOptions {
  /** Default 0.95. */
  readonly level?: number | undefined;
  /** The smallest change that counts, 0 to 1. Default 0.05. */
  readonly minEffect?: number | undefined;
  /** Measurements of judges. Default: none. */
  readonly measured?: readonly MeasuredFile[] | undefined;
}

export function analyseRun(run: RunOutcomes, options: AnalysisOptions = {}): RunAnalysis {
  const { level = 0.95, minEffect = MIN_EFFECT, measured = [] } = options;
  const passes = present(run.cases.map(passesOf));
  const passRate = passes.length === 0 ? null : estimateOf(passes, RATE, level);
  const { stoppedEarly } = run;
  const found = repeatAnalysis(run.cases, level);
  // The rate at which all k repeats pass is biased if passes and failures decide when a case stops.
  const repeats = found && stoppedEarly ? { ...found, passes: [] } : found;
  const judges = judgeStatuses(run, measured);
  const together = undeclaredGroups(run.cases);
  return {
    id: run.id,
    ...(run.variant === undefined ? {} : { variant: run.variant }),
    finished: run.finished,
    level,
    passRate,
    criteria: run.criteria.map(({ name, decides, byDefault, range, threshold }) => ({
      name,
      decides,
      byDefault,
      range,
      threshold,
      ...meanEstimate(run, { name, range }, level),
    })),
    ...(stoppedEarly && { stoppedEarly }),
    repeats,
    power: stoppedEarly || passRate === null ? null : announcedPower(run, { minEffect }),
    ...(together === null ? {} : { undeclaredGroups: together }),
    ...(judges.length === 0 ? {} : { judges }),
  };
}

function meanEstimate(run: RunOutcomes, criterion: Pick<CriterionAnalysis, 'name' | 'range'>, level: number): Estimate {
  const tooLarge = scoresTooLarge(run, criterion);
  const { name, range } = criterion;
  if (tooLarge !== null) return { ...estimateOf([], range, level), interval: { unknown: tooLarge } };
  return estimateOf(present(run.cases.map((one) => scoresOf(one, name, range))), range, level);
}

function present(values: readonly (CaseValues | null)[]): readonly CaseValues[] {
  return values.filter((one) => one !== null);
}
