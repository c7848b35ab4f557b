import { isUnknown, type Unknown } from '@agent-criteria/statistics';
import { passesOf, scoresOf } from '../case-values.ts';
import { MIN_EFFECT } from '../change.ts';
import type { CaseValues } from '../estimate.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import { chanceOverCases } from './chance-over-cases.ts';
import { chanceOverGroups, groupsIn } from './chance-over-groups.ts';
import type { Drop, DropShape } from './drop.ts';
import { type Pilot, pilotOf } from './pilot.ts';

/**
 * The fall in the pass rate that a comparison with another run of these cases would most likely call a regression.
 * Rates and falls are shares from 0 to 1. Plain JSON.
 */
export interface AnnouncedPower extends Pick<Drop, 'cases' | 'repeats' | 'minEffect'> {
  /** The number of groups, or `null` if each case counts alone. */
  readonly groups: number | null;
  /** The pass rate that power is computed from: the run's, or slightly less if every repeat passed. */
  readonly passRate: number;
  readonly seenPassRate: number;
  /**
   * Whether the noise was measured from repeats. Otherwise the largest possible noise is assumed, and smaller falls may
   * be found.
   */
  readonly measured: boolean;
  /** The power if all cases fail a little more often. */
  readonly all: DropPower;
  /** The power if some cases, or groups, always fail and the others do not change. */
  readonly some: DropPower;
}

export interface DropPower {
  /**
   * The smallest fall that is found at least 8 times in 10, rounded up on a coarse scale, or `null` if there is none.
   */
  readonly found: number | null;
  /** The power for a fall of the smallest change that counts, and for one twice as large. */
  readonly ofMinEffect: number;
  readonly ofTwice: number;
}

/** The size of the planned comparison. Default: that of the run, and 0.05 for `minEffect`. */
export type PowerOptions = { readonly [Name in 'cases' | 'repeats' | 'minEffect']?: number | undefined };

/** The probability of reporting a change when there is none. */
const ALPHA = 0.05;
/** The power that an announced fall must have. */
const FOUND = 0.8;

/** A coarse scale, because power is only an estimate. */
const SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80].map((points) => points / 100);

/**
 * Computes the power of `compareRuns`: the pass rate is a regression if its test is significant after correction for
 * all deciding numbers, and the fall is at least `minEffect`. Assumes that everything is judged.
 */
export function announcedPower(run: RunOutcomes, options: PowerOptions = {}): AnnouncedPower | Unknown {
  const pilot = pilotOf(run);
  return isUnknown(pilot) ? pilot : powerOfPilot(pilot, options, alphaOf(run));
}

export function powerOfPilot(pilot: Pilot, options: PowerOptions, alpha = ALPHA): AnnouncedPower {
  const { cases = pilot.cases, repeats = pilot.repeats, minEffect = MIN_EFFECT } = options;
  const chance = (shape: DropShape, size: number) => chanceOf(pilot, { shape, size, cases, repeats, minEffect, alpha });
  const of = (shape: DropShape): DropPower => ({
    found: smallestFound((size) => chance(shape, size), pilot.passRate),
    ofMinEffect: rounded(chance(shape, minEffect)),
    ofTwice: rounded(chance(shape, 2 * minEffect)),
  });
  return {
    cases,
    repeats,
    groups: pilot.groups === null ? null : groupsIn(pilot.groups, pilot, cases),
    passRate: pilot.passRate,
    seenPassRate: pilot.seenPassRate,
    measured: pilot.measured,
    minEffect,
    all: of('all'),
    some: of('some'),
  };
}

function rounded(chance: number): number {
  return Math.round(chance * 100) / 100;
}

/**
 * Computes the power for one fall of the pass rate, by the rule of `announcedPower`.
 *
 * @param size The true fall, from 0 to 1. A fall that exceeds the pass rate is impossible and never found.
 */
export function powerOf(
  run: RunOutcomes,
  shape: DropShape,
  size: number,
  options: PowerOptions = {},
): number | Unknown {
  const pilot = pilotOf(run);
  if (isUnknown(pilot)) return pilot;
  const { cases = pilot.cases, repeats = pilot.repeats, minEffect = MIN_EFFECT } = options;
  return chanceOf(pilot, { shape, size, cases, repeats, minEffect, alpha: alphaOf(run) });
}

function chanceOf(pilot: Pilot, drop: Drop): number {
  const { groups } = pilot;
  return groups === null ? chanceOverCases(pilot, drop) : chanceOverGroups({ ...pilot, groups }, drop);
}

/** Finds the smallest fall by binary search, because power grows with the fall. */
function smallestFound(chance: (size: number) => number, most: number): number | null {
  const sizes = SIZES.filter((size) => size <= most);
  let [low, high] = [0, sizes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (chance(sizes[middle] as number) >= FOUND) high = middle;
    else low = middle + 1;
  }
  return sizes[low] ?? null;
}

/**
 * Returns the significance level after correction if no other number falls. Numbers that are equal in every case, such
 * as a pass rate and the only criterion behind it, count once.
 */
function alphaOf({ criteria, cases }: Pick<RunOutcomes, 'criteria' | 'cases'>): number {
  const distinct = new Set<string>();
  const add = (values: readonly (CaseValues | null)[]) =>
    distinct.add(JSON.stringify(values.map((one) => one?.values ?? null)));
  add(cases.map(passesOf));
  for (const { name, range, decides } of criteria) if (decides) add(cases.map((one) => scoresOf(one, name, range)));
  return ALPHA / distinct.size;
}
