import type { Range } from '@agent-criteria/core';
import {
  boundedMeanInterval,
  caseRateInterval,
  clusteredMeanInterval,
  type Interval,
  isUnknown,
  tInterval,
  type Unknown,
} from '@agent-criteria/statistics';

/** A number measured for an agent, with its uncertainty. Plain JSON. */
export interface Estimate {
  /** The mean over cases, or `null` if no case has a value. */
  readonly value: number | null;
  /** The confidence interval at the level of the analysis, or the reason why it is unknown. */
  readonly interval: Interval | Unknown;
  /** The number of cases with a value. */
  readonly cases: number;
  /** The number of values over those cases: one per judged repeat. */
  readonly values: number;
  /** The number of groups, counting a case without a group as one, or `null` if no case has a group. */
  readonly groups: number | null;
  /** The number of cases that should have a value but have none, or only part of one. */
  readonly unjudged: number;
  /**
   * The mean if everything that could not be judged were at its worst or best, or `null` if all was judged. An end
   * without a limit is `null`.
   */
  readonly bounds: { readonly worst: number | null; readonly best: number | null } | null;
}

export interface CaseValues {
  readonly group: string | null;
  /** One value per repeat that has one. */
  readonly values: readonly number[];
  /** The lowest and highest value that the case could have, if part of it could not be judged. */
  readonly open: OpenEnds | null;
}

export interface OpenEnds {
  readonly worst: number | null;
  readonly best: number | null;
  /** The number of repeats without any value. */
  readonly missing: number;
}

export interface ValuePair {
  readonly base: CaseValues;
  readonly candidate: CaseValues;
}

/** The limits of a scale. `max` is `null` if there is none. */
export type Scale = Pick<Range, 'min' | 'max'>;

export const NO_VALUE = 'no case has a value';

export const RATE = { min: 0, max: 1, better: 'higher' } as const satisfies Range;

/**
 * Estimates a mean over cases, with its interval. If all values lie at one of two limits, it is a rate
 * (`caseRateInterval`); other values between two limits are scores (`boundedMeanInterval`). Neither interval goes
 * beyond the limits or has zero width. Values without an upper limit, such as costs, get Student's t interval. The
 * cases of a group form one cluster.
 *
 * @param level The confidence level.
 */
export function estimateOf(cases: readonly CaseValues[], range: Scale, level: number): Estimate {
  const judged = cases.filter(({ values }) => values.length > 0);
  const means = judged.map(({ values }) => meanOf(values));
  const open = cases.filter((one) => one.open !== null);
  const groups = groupsOf(judged);
  return {
    value: means.length === 0 ? null : meanOf(means),
    interval: intervalOf(judged, means, groups, range, level),
    cases: judged.length,
    values: judged.reduce((sum, { values }) => sum + values.length, 0),
    groups: groups === null ? null : new Set(groups).size,
    unjudged: open.length,
    bounds: open.length === 0 ? null : { worst: end(cases, 'worst'), best: end(cases, 'best') },
  };
}

/** The largest number to compute with, because the sums of squares of larger ones would overflow. */
export const LARGEST = 1e100;

export function isTooLarge(value: number): boolean {
  return !(Math.abs(value) <= LARGEST);
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Sums values by group, in order of first appearance. */
export function sumsOf(values: readonly number[], groups: readonly (string | number)[]): readonly number[] {
  const sums = new Map<string | number, number>();
  for (const [index, value] of values.entries()) {
    const group = groups[index] as string | number;
    sums.set(group, (sums.get(group) ?? 0) + value);
  }
  return [...sums.values()];
}

/** Returns each case's group, where a case without one is its own group, or `null` if no case has a group. */
export function groupsOf(cases: readonly { readonly group: string | null }[]): readonly (string | number)[] | null {
  if (cases.every(({ group }) => group === null)) return null;
  return cases.map(({ group }, index) => group ?? index);
}

function intervalOf(
  judged: readonly CaseValues[],
  means: readonly number[],
  groups: readonly (string | number)[] | null,
  { min, max }: Scale,
  level: number,
): Interval | Unknown {
  if (judged.length === 0) return { unknown: NO_VALUE };
  if (max !== null) {
    const share = (value: number) => Math.min(1, Math.max(0, (value - min) / (max - min)));
    const rates = means.map(share);
    const clusters = groups ?? undefined;
    const isRate = judged.every(({ values }) => values.every((one) => one === min || one === max));
    const runs = judged.reduce((sum, { values }) => sum + values.length, 0);
    const found = isRate
      ? caseRateInterval({ rates, runs, clusters, level })
      : boundedMeanInterval(rates, clusters, level);
    return isUnknown(found) ? found : { low: min + found.low * (max - min), high: min + found.high * (max - min) };
  }
  const found = groups === null ? tInterval(means, level) : clusteredMeanInterval(means, groups, level);
  if (isUnknown(found)) return found;
  // Equal values would give an interval of zero width, as if other cases could not differ.
  if (found.se < 1e-12 * Math.max(1, Math.abs(found.mean))) return { unknown: 'all cases have the same value' };
  return { low: Math.max(found.low, min), high: found.high };
}

function end(cases: readonly CaseValues[], which: 'worst' | 'best'): number | null {
  const ends: number[] = [];
  for (const { values, open } of cases) {
    if (open === null) {
      if (values.length > 0) ends.push(meanOf(values));
      continue;
    }
    const own = open[which];
    if (own === null) return null;
    ends.push(own);
  }
  return ends.length === 0 ? null : meanOf(ends);
}
