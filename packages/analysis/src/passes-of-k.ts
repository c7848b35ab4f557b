import {
  caseRateInterval,
  type Interval,
  isUnknown,
  passAtK,
  passHatK,
  type Unknown,
} from '@agent-criteria/statistics';
import { groupsOf, meanOf } from './estimate.ts';

/** The number of repeats of a case that count, and how many of them passed. */
export interface CaseCounts {
  readonly group: string | null;
  readonly n: number;
  readonly c: number;
}

export interface PassEstimate extends Interval {
  readonly mean: number;
}

export interface PassesOfK {
  readonly k: number;
  /** pass@k: at least one of k passes. */
  readonly atLeastOne: PassEstimate | Unknown;
  /** pass^k: all of k pass. */
  readonly all: PassEstimate | Unknown;
}

/**
 * Computes pass@k and pass^k for every k up to `most`, each with the interval of a pass rate (which it is for k = 1).
 * Since all of k pass no more often than all of fewer, the ends of pass^k never rise with k and those of pass@k never
 * fall, so that results for different k agree. Unknown from the first k for which a case has too few repeats.
 */
export function passesOfK(cases: readonly CaseCounts[], most: number, level: number): readonly PassesOfK[] {
  const found: PassesOfK[] = [];
  for (let k = 1; k <= most; k++) {
    const last = found.at(-1);
    found.push({
      k,
      atLeastOne: bounded(estimateOfK(cases, k, passAtK, level), last?.atLeastOne, Math.max),
      all: bounded(estimateOfK(cases, k, passHatK, level), last?.all, Math.min),
    });
  }
  return found;
}

function estimateOfK(
  cases: readonly CaseCounts[],
  k: number,
  ofCase: typeof passHatK,
  level: number,
): PassEstimate | Unknown {
  const rates: number[] = [];
  // Cases have few distinct counts, so results are memoised.
  const known = new Map<string, number>();
  for (const { n, c } of cases) {
    const key = `${c} ${n}`;
    const rate = known.get(key) ?? ofCase(n, c, k);
    if (isUnknown(rate)) return rate;
    known.set(key, rate);
    rates.push(rate);
  }
  if (rates.length === 0) return { unknown: 'no case has a value' };
  // Only n / k sets of k out of n repeats are independent: if k is near n, a case reveals little beyond whether all
  // passed.
  const runs = cases.reduce((sum, { n }) => sum + Math.floor(n / k), 0);
  const interval = caseRateInterval({ rates, runs, clusters: groupsOf(cases) ?? undefined, level });
  return isUnknown(interval) ? interval : { mean: meanOf(rates), ...interval };
}

function bounded(
  found: PassEstimate | Unknown,
  last: PassEstimate | Unknown | undefined,
  by: typeof Math.min,
): PassEstimate | Unknown {
  if (last === undefined || isUnknown(last) || isUnknown(found)) return found;
  return { mean: found.mean, low: by(found.low, last.low), high: by(found.high, last.high) };
}
