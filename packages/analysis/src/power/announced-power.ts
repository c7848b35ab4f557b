import { isUnknown, type Unknown } from '@agent-criteria/statistics';
import { passesOf, scoresOf } from '../case-values.ts';
import type { CaseValues } from '../estimate.ts';
import { MIN_EFFECT } from '../min-effect.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import { chanceOverCases } from './chance-over-cases.ts';
import { chanceOverGroups, groupsIn } from './chance-over-groups.ts';
import type { Drop, DropShape } from './drop.ts';
import { type Pilot, pilotOf } from './pilot.ts';

/**
 * Which fall of the pass rate a comparison with another run of these cases most likely finds, and calls a regression. Rates and falls
 * are shares from 0 to 1. Plain JSON.
 */
export interface AnnouncedPower {
  readonly cases: number;
  /** How often each case runs, in both runs. */
  readonly repeats: number;
  /** How many groups these cases are in; `null`: each counts for itself. */
  readonly groups: number | null;
  /** The pass rate that power is computed from: that of the run, or a little less if every repeat passed. */
  readonly passRate: number;
  /** The pass rate of the run. */
  readonly seenPassRate: number;
  /** Whether repeats measured the noise. Otherwise it is the largest that is possible, and smaller falls may be found. */
  readonly measured: boolean;
  /** The smallest change that counts. */
  readonly minEffect: number;
  /** Where all cases fail a little more often. */
  readonly all: DropPower;
  /** Where some cases, or groups, always fail, and the others do not change. */
  readonly some: DropPower;
}

export interface DropPower {
  /** The smallest fall that is found at least 8 times in 10, rounded up on a coarse scale; `null`: none is. */
  readonly found: number | null;
  /** How often a fall of the smallest change that counts is found, and one of twice its size. */
  readonly ofMinEffect: number;
  readonly ofTwice: number;
}

export interface PowerOptions {
  /** The number of cases of the comparison. Default: as many as the run has. */
  readonly cases?: number | undefined;
  /** How often each case runs, in both runs. Default: as in the run. */
  readonly repeats?: number | undefined;
  /** The smallest change that counts, 0 to 1. Default 0.05. */
  readonly minEffect?: number | undefined;
}

/** How often a comparison calls a change where there is none. */
const ALPHA = 0.05;
/** How often a fall that is announced is found. */
const FOUND = 0.8;

/** The sizes that are distinguished: an estimate of power has no more digits. */
const SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80].map((points) => points / 100);

/**
 * The power of a comparison by the rule that ships: the pass rate is called a regression where its test finds one after the correction
 * for all numbers that decide, and the fall is at least `minEffect`. Everything is taken to be judged.
 */
export function announcedPower(run: RunOutcomes, options: PowerOptions = {}): AnnouncedPower | Unknown {
  const pilot = pilotOf(run);
  return isUnknown(pilot) ? pilot : powerOfPilot(pilot, options, alphaOf(run));
}

/** The same from what a run showed. */
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

/** An estimate of power is good to some points. */
function rounded(chance: number): number {
  return Math.round(chance * 100) / 100;
}

/**
 * How often one fall of the pass rate is found, by the rule of `announcedPower`.
 *
 * @param size How far it truly falls, from 0 to 1. A fall that is larger than the pass rate is never found, since there is none.
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

/** Power grows with the fall. */
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
 * As the correction leaves it where no other number falls. Numbers that come out alike in every case, such as a pass rate and the
 * only criterion behind it, are one.
 */
function alphaOf({ criteria, cases }: Pick<RunOutcomes, 'criteria' | 'cases'>): number {
  const distinct = new Set<string>();
  const add = (values: readonly (CaseValues | null)[]) =>
    distinct.add(JSON.stringify(values.map((one) => one?.values ?? null)));
  add(cases.map(passesOf));
  for (const { name, range, decides } of criteria) if (decides) add(cases.map((one) => scoresOf(one, name, range)));
  return ALPHA / distinct.size;
}
