import type { Range } from '@agent-criteria/core';
import {
  clusterInterval,
  type Interval,
  isUnknown,
  tInterval,
  type Unknown,
  wilsonClusterInterval,
  wilsonEffectiveInterval,
  wilsonInterval,
} from '@agent-criteria/statistics';
import type { CaseValues, Estimate } from './estimate.ts';

/** The least and the greatest value there can be; `null`: there is no limit. */
export interface Limits {
  readonly min: number | null;
  readonly max: number | null;
}

/** The scale of a pass rate. */
export const RATE = { min: 0, max: 1, better: 'higher' } as const satisfies Range;

/**
 * A mean over cases with its interval. Values that are all at one of two limits are a rate, and get an interval of Wilson:
 * with one value per case the plain one, with repeats the one on the effective number of runs, with groups the same from
 * group to group. Other values get the interval of Student's t, over cases or groups, which ends at the limits.
 *
 * @param level The share of such intervals that hold the true mean.
 */
export function estimateOf(cases: readonly CaseValues[], limits: Limits, level: number): Estimate {
  const judged = cases.filter(({ values }) => values.length > 0);
  const means = judged.map(({ values }) => meanOf(values));
  const open = cases.filter((one) => one.open !== null);
  const groups = groupsOf(judged);
  return {
    value: means.length === 0 ? null : meanOf(means),
    interval: intervalOf(judged, means, groups, limits, level),
    cases: judged.length,
    values: judged.reduce((sum, { values }) => sum + values.length, 0),
    groups: groups === null ? null : new Set(groups).size,
    unjudged: open.length,
    bounds: open.length === 0 ? null : { worst: end(cases, 'worst'), best: end(cases, 'best') },
  };
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The group of each case, of its own where it has none; `null`: none has one. */
export function groupsOf(cases: readonly { readonly group: string | null }[]): readonly (string | number)[] | null {
  if (cases.every(({ group }) => group === null)) return null;
  return cases.map(({ group }, index) => group ?? index);
}

function intervalOf(
  judged: readonly CaseValues[],
  means: readonly number[],
  groups: readonly (string | number)[] | null,
  limits: Limits,
  level: number,
): Interval | Unknown {
  if (judged.length === 0) return { unknown: 'no case has a value' };
  const { min, max } = limits;
  const isRate =
    min !== null && max !== null && judged.every(({ values }) => values.every((one) => one === min || one === max));
  if (isRate) return scaled(rateInterval(judged, means, groups, limits, level), min, max);
  const found = groups === null ? tInterval(means, level) : clusterInterval(means, groups, level);
  if (isUnknown(found)) return found;
  // Equal values would give an interval without width, as if other cases could not differ.
  if (found.se < 1e-12 * Math.max(1, Math.abs(found.mean))) return { unknown: 'all cases have the same value' };
  return { low: Math.max(found.low, min ?? found.low), high: Math.min(found.high, max ?? found.high) };
}

/** Of values at one of two limits: an interval between 0 and 1. */
function rateInterval(
  judged: readonly CaseValues[],
  means: readonly number[],
  groups: readonly (string | number)[] | null,
  limits: Limits,
  level: number,
): Interval | Unknown {
  const { min, max } = limits as { readonly min: number; readonly max: number };
  const share = (value: number) => (value - min) / (max - min);
  if (groups !== null) {
    const runs = judged.reduce((sum, { values }) => sum + values.length, 0);
    return wilsonClusterInterval(means.map(share), groups, runs, level);
  }
  if (judged.every(({ values }) => values.length === 1)) {
    const passed = judged.filter(({ values }) => values[0] === max).length;
    return wilsonInterval(passed, judged.length, level);
  }
  return wilsonEffectiveInterval(
    judged.map(({ values }) => values.map(share)),
    level,
  );
}

function scaled(interval: Interval | Unknown, min: number, max: number): Interval | Unknown {
  if (isUnknown(interval)) return interval;
  const { low, high } = interval;
  return { low: min + low * (max - min), high: min + high * (max - min) };
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
