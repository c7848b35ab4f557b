import { groupBy } from '@agent-criteria/results';
import type { Unknown } from '@agent-criteria/statistics';
import { passesOf } from '../case-values.ts';
import { type CaseValues, meanOf } from '../estimate.ts';
import type { RunOutcomes } from '../run-outcomes.ts';

/** The noise of a comparison, estimated from one run. */
export interface Pilot {
  /** The pass rate with equal weight for each case: above 0, below 1. */
  readonly passRate: number;
  /** The observed pass rate, 0 to 1. */
  readonly seenPassRate: number;
  /** The variance between repeats of one case. */
  readonly within: number;
  /**
   * Whether the variance was measured from repeats. If not, it is the largest possible one, as if chance alone decided
   * each repeat.
   */
  readonly measured: boolean;
  readonly cases: number;
  /** The largest number of repeats of any case. */
  readonly repeats: number;
  /** `null` if no case has a group. */
  readonly groups: PilotGroups | null;
}

/** Groups of cases that are not independent. A case without a group is its own group. */
export interface PilotGroups {
  /** The share of cases that passed in each group, for each repeat. */
  readonly shares: readonly (readonly number[])[];
  readonly sizes: readonly number[];
  /**
   * The probability that a group's next run resembles its last, set so that groups differ from each other as much as
   * was measured. 0 if every case ran once.
   */
  readonly own: number;
}

/** Estimates the noise. Unknown if nothing was judged, or if nothing passed and so nothing can fall. */
export function pilotOf({ cases }: Pick<RunOutcomes, 'cases'>): Pilot | Unknown {
  const judged = cases.map(passesOf).filter((one): one is CaseValues => one !== null && one.values.length > 0);
  if (judged.length === 0) return { unknown: 'nothing was judged' };
  const rate = meanOf(judged.map(({ values }) => meanOf(values)));
  if (rate === 0) return { unknown: 'nothing passes, so the pass rate cannot fall' };
  // If all pass, one more case of each kind is assumed (Laplace), because noise cannot be measured without failures.
  const passRate = rate === 1 ? (judged.length + 1) / (judged.length + 2) : rate;
  const grouped = judged.some(({ group }) => group !== null);
  const repeats = judged.reduce((most, { values }) => Math.max(most, values.length), 0);
  const freedom = judged.reduce((sum, { values }) => sum + values.length - 1, 0);
  return {
    passRate,
    seenPassRate: rate,
    within: varianceWithin(
      judged.map(({ values }) => values),
      passRate * (1 - passRate),
    ),
    measured: freedom > 0,
    cases: judged.length,
    repeats,
    groups: grouped ? groupsOf(judged) : null,
  };
}

/**
 * Computes the variance between repeats, pooled over cases. One extra degree of freedom has the largest possible
 * variance, because a few repeats that agree do not prove that there is no noise.
 */
function varianceWithin(cases: readonly (readonly number[])[], largest: number): number {
  const freedom = cases.reduce((sum, values) => sum + values.length - 1, 0);
  const squares = cases.reduce((sum, values) => sum + squaresOf(values), 0);
  return Math.min(largest, (squares + largest) / (freedom + 1));
}

function squaresOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

function groupsOf(judged: readonly CaseValues[]): PilotGroups {
  const places = groupBy(judged.keys(), (index) => judged[index]?.group ?? index);
  const groups = [...places.values()].map((own) => own.map((index) => judged[index] as CaseValues));
  const shares = groups.map((own) => {
    const repeats = Math.max(...own.map(({ values }) => values.length));
    return Array.from({ length: repeats }, (_, repeat) =>
      meanOf(own.flatMap(({ values }) => (repeat < values.length ? [values[repeat] as number] : []))),
    );
  });
  return { shares, sizes: groups.map(({ length }) => length), own: ownShare(shares) };
}

function ownShare(shares: readonly (readonly number[])[]): number {
  const means = shares.map(meanOf);
  if (means.length < 2 || shares.every(({ length }) => length < 2)) return 0;
  const ofMeans = squaresOf(means) / (means.length - 1);
  if (ofMeans === 0) return 0;
  const measured = shares.filter(({ length }) => length > 1);
  const freedom = measured.reduce((sum, { length }) => sum + length - 1, 0);
  const noise = measured.reduce((sum, own) => sum + squaresOf(own), 0) / freedom;
  const between = Math.max(0, ofMeans - noise * meanOf(shares.map(({ length }) => 1 / length)));
  // As for cases, with one extra degree of freedom.
  const within = Math.min(between + noise, (noise * freedom + between + noise) / (freedom + 1));
  return Math.sqrt(Math.max(0, between + noise - within) / ofMeans);
}
