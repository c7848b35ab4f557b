import {
  clusterInterval,
  type Interval,
  isUnknown,
  mcnemarExact,
  normalQuantile,
  signFlipTest,
  tInterval,
  type Unknown,
} from '@agent-criteria/statistics';
import type { CaseValues } from './estimate.ts';
import { groupsOf, meanOf } from './estimate-of.ts';

/** What two runs give for the same cases, and how far they differ: candidate less base, in the unit of the scores. Plain JSON. */
export interface PairedDifference {
  /** How many cases have a value in both. */
  readonly pairs: number;
  /** Means over these cases; `null` without any. */
  readonly base: number | null;
  readonly candidate: number | null;
  readonly difference: number | null;
  /** Where the true difference lies, or why that is unknown. */
  readonly interval: Interval | Unknown;
  /** The probability of a difference this large, either way, if nothing had changed. */
  readonly p: number | Unknown;
  /** The smallest difference that these cases would show four times out of five; where none of them changed, the largest that is possible. */
  readonly detects: number | Unknown;
  /** How many cases would show a difference of `minEffect`, or rule it out where none of them changes. */
  readonly casesForMinEffect: number | Unknown;
  /** Cases that could not be judged in full, in the base, in the candidate, or in both. */
  readonly unjudged: number;
  /**
   * Had everything the candidate could not be judged on come out at its worst: the difference then, and its p. `null` where
   * all was judged, or where there is no worst.
   */
  readonly atWorst: { readonly difference: number; readonly p: number | Unknown } | null;
}

/** The values of one case in two runs. */
export interface ValuePair {
  readonly base: CaseValues;
  readonly candidate: CaseValues;
}

/** How often a difference of the size that is named may be missed. */
const MISSED = 0.2;
const Z = normalQuantile(0.975) + normalQuantile(1 - MISSED);

/**
 * Compares the same cases in two runs. A case counts once, by the mean of its repeats; cases of one group change together.
 *
 * p is that of the sign-flip test, exact with up to 16 cases or groups that changed; where all changes have one size, it is that
 * of McNemar, which is the same and always exact.
 *
 * @param minEffect The smallest difference that counts, in the unit of the scores.
 * @param width Of the scale: how far one score can change at most. `null` where there is no end.
 */
export function pairedDifference(
  cases: readonly ValuePair[],
  level: number,
  minEffect: number,
  width: number | null,
): PairedDifference {
  const both = cases.filter(({ base, candidate }) => base.values.length > 0 && candidate.values.length > 0);
  const before = both.map(({ base }) => meanOf(base.values));
  const after = both.map(({ candidate }) => meanOf(candidate.values));
  const differences = after.map((value, index) => value - (before[index] as number));
  const groups = groupsOf(both.map(({ candidate }) => candidate));
  const open = cases.filter(({ base, candidate }) => base.open !== null || candidate.open !== null);
  const any = both.length > 0;
  return {
    pairs: both.length,
    base: any ? meanOf(before) : null,
    candidate: any ? meanOf(after) : null,
    difference: any ? meanOf(differences) : null,
    interval: intervalOf(differences, groups, level),
    p: pOf(differences, groups),
    ...powerOf(differences, groups, minEffect, width),
    unjudged: open.length,
    atWorst: open.length === 0 ? null : atWorst(cases),
  };
}

function intervalOf(
  differences: readonly number[],
  groups: readonly (string | number)[] | null,
  level: number,
): Interval | Unknown {
  if (differences.length === 0) return { unknown: 'no case has a score in both runs' };
  const found = groups === null ? tInterval(differences, level) : clusterInterval(differences, groups, level);
  if (isUnknown(found)) return found;
  // Without width, it would claim that no other case could differ.
  if (found.se < 1e-12) return { unknown: isSame(differences) ? 'no case changed' : SAME_CHANGE };
  return { low: found.low, high: found.high };
}

function pOf(differences: readonly number[], groups: readonly (string | number)[] | null): number | Unknown {
  const own = groups === null ? differences : sumsOf(differences, groups);
  // Equal repeats in another order have means that differ by a rounding error.
  const changes = own.filter((difference) => Math.abs(difference) > 1e-12);
  const size = Math.abs(changes[0] ?? 0);
  if (own.length > 0 && changes.every((change) => Math.abs(Math.abs(change) - size) < 1e-12)) {
    const up = changes.filter((change) => change > 0).length;
    return mcnemarExact(up, changes.length - up);
  }
  const found = signFlipTest(own.map((difference) => (Math.abs(difference) > 1e-12 ? difference : 0)));
  return isUnknown(found) ? found : found.p;
}

/** Of each group: its cases keep or change sign together. */
function sumsOf(differences: readonly number[], groups: readonly (string | number)[]): readonly number[] {
  const sums = new Map<string | number, number>();
  for (const [index, difference] of differences.entries()) {
    const group = groups[index] as string | number;
    sums.set(group, (sums.get(group) ?? 0) + difference);
  }
  return [...sums.values()];
}

/** How often a difference that is ruled out, because no case changed, is there all the same. */
const UNSEEN = 0.05;
const SAME_CHANGE = 'every case changed by the same amount';

/** Whether no case changed at all. */
function isSame(differences: readonly number[]): boolean {
  return differences.every((difference) => Math.abs(difference) < 1e-12);
}

/**
 * From the spread of the differences as it is, noise and true differences together. Where no case changed there is none: then it
 * is the largest difference that this leaves possible. A true difference of a share s of the scale takes at least a share s of
 * changed cases, and (1 - s)^n of all samples of n cases have none of them.
 */
function powerOf(
  differences: readonly number[],
  groups: readonly (string | number)[] | null,
  minEffect: number,
  width: number | null,
): Pick<PairedDifference, 'detects' | 'casesForMinEffect'> {
  const n = differences.length;
  const found = n < 2 ? null : groups === null ? tInterval(differences) : clusterInterval(differences, groups);
  if (found === null || isUnknown(found)) {
    const none = { unknown: 'at least two cases with a score in both runs are needed' };
    return { detects: none, casesForMinEffect: none };
  }
  if (found.se < 1e-12 && isSame(differences) && width !== null) {
    const needed = Math.max(1, Math.ceil(Math.log(UNSEEN) / Math.log1p(-minEffect / width)));
    const independent = groups === null ? n : new Set(groups).size;
    return {
      detects: width * (1 - UNSEEN ** (1 / independent)),
      casesForMinEffect: Math.ceil((needed * n) / independent),
    };
  }
  if (found.se < 1e-12) {
    const none = { unknown: `no spread: ${SAME_CHANGE}` };
    return { detects: none, casesForMinEffect: none };
  }
  const detects = Z * found.se;
  return { detects, casesForMinEffect: Math.ceil(n * (detects / minEffect) ** 2) };
}

function atWorst(cases: readonly ValuePair[]): PairedDifference['atWorst'] {
  const differences: number[] = [];
  const counted: CaseValues[] = [];
  for (const { base, candidate } of cases) {
    // What the base lacks says nothing of the candidate.
    if (base.values.length === 0) continue;
    const value = candidate.open === null ? meanOf(candidate.values) : candidate.open.worst;
    if (value === null) return null;
    if (candidate.open === null && candidate.values.length === 0) continue;
    const before = base.open === null ? meanOf(base.values) : (base.open.best ?? meanOf(base.values));
    differences.push(value - before);
    counted.push(candidate);
  }
  if (differences.length === 0) return null;
  return { difference: meanOf(differences), p: pOf(differences, groupsOf(counted)) };
}
