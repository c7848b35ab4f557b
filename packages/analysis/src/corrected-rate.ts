import type { Interval, Unknown } from '@agent-criteria/statistics';
import type { Estimate } from './estimate.ts';
import { FEWEST_CASES, fewCases } from './few-cases.ts';
import type { OfRates, Target, VerdictStrata } from './verdict-strata.ts';

/** The pass rate according to the judge, and an estimate of the pass rate according to people. Plain JSON. */
export interface CorrectedRate {
  /** The pass rate according to the judge, over all cases. */
  readonly judge: Estimate;
  /** The share of labelled items that people pass, however the items were chosen, or `null` if nothing is labelled. */
  readonly labelled: number | null;
  /** The pass rate of this run's cases according to people; exact once everything is labelled. */
  readonly these: Corrected | Unknown;
  /** The pass rate, according to people, of cases like these, of which this run is a sample. */
  readonly like: Corrected | Unknown;
  /** The number of further labels that would halve the interval of `these`. */
  readonly moreLabels: number | Unknown;
}

export interface Corrected extends Interval {
  readonly value: number;
  /** Whether everything is labelled, so that both ends of the interval equal the value. */
  readonly exact: boolean;
}

const rateOf: OfRates = (judge, ofPasses, ofFails) => judge * ofPasses + (1 - judge) * ofFails;

/** The number of labels to ask for if a verdict has none. */
const ASKED = 10;

/**
 * Stratifies by the judge's verdict: within a verdict, the share of labelled items that people pass is an estimate for
 * all items. The estimate is valid whichever verdict was labelled more often, as long as the labels for each verdict
 * were drawn at random.
 */
export function correctedRate(strata: VerdictStrata, judge: Estimate, level: number): CorrectedRate {
  const these = targetOf(strata, 'these', level);
  return {
    judge,
    labelled: strata.labelledRate,
    these,
    like: targetOf(strata, 'like', level),
    moreLabels: 'unknown' in these ? these : moreLabels(strata, level),
  };
}

function targetOf(strata: VerdictStrata, target: Target, level: number): Corrected | Unknown {
  const { passes, fails, labelledClusters } = strata;
  if (passes.things + fails.things === 0) return { unknown: 'nothing has a verdict' };
  const open = passes.things + fails.things - passes.labelled - fails.labelled;
  if (target === 'these' && open === 0) {
    const value = passes.passed + fails.passed;
    return { value, low: value, high: value, exact: true };
  }
  if (labelledClusters < FEWEST_CASES) return fewCases(labelledClusters);
  const missing = missingLabels(strata);
  if (missing !== null) return missing;
  const { value, low, high } = strata.interval(rateOf, target, level);
  // People have already decided some of these cases.
  const decided = passes.passed + fails.passed;
  const [least, most] = target === 'like' ? [0, 1] : [decided, Math.min(1, decided + passes.open + fails.open)];
  return {
    value,
    low: Math.min(value, Math.max(least, low)),
    high: Math.max(value, Math.min(most, high)),
    exact: false,
  };
}

/** Explains why the rate over all cases is unknown if a verdict has no label, or returns `null` if each has one. */
export function missingLabels({ unlabelled, passes, fails }: VerdictStrata): Unknown | null {
  const [word] = unlabelled;
  if (word === undefined) return null;
  const { things } = word === 'pass' ? passes : fails;
  if (things === 1) return { unknown: `the only verdict "${word}" has no label: label that one` };
  const asked = things <= ASKED ? 'them' : `${ASKED} of them`;
  return { unknown: `none of the ${things} verdicts "${word}" has a label: label ${asked}` };
}

/** Estimates how many more labels are needed, assuming the same number for each verdict, as `label` offers them. */
function moreLabels(strata: VerdictStrata, level: number): number | Unknown {
  const { passes, fails } = strata;
  const open = passes.things + fails.things - passes.labelled - fails.labelled;
  if (open === 0) return { unknown: 'everything is labelled' };
  const widthWith = strata.widths(rateOf, level);
  const half = widthWith(0) / 2;
  let [few, enough] = [0, open];
  while (enough - few > 1) {
    const middle = Math.floor((few + enough) / 2);
    if (widthWith(middle) <= half) enough = middle;
    else few = middle;
  }
  return enough;
}
