import { checkCount, checkNumbers } from './check.ts';
import { logBeta } from './log-beta.ts';
import { normalCdf } from './normal.ts';
import { createRandom, type Random, uniform } from './random.ts';
import { TIE } from './sign-flip-exact.ts';
import { type Unknown, unknown } from './unknown.ts';

/** A case's values in two runs, one per repeat. */
export interface RepeatsOfTwoRuns {
  readonly base: readonly number[];
  readonly candidate: readonly number[];
}

export interface WithinCasePermutation {
  /** The number of cases. */
  readonly n: number;
  /** The mean over cases of the candidate's mean minus the base's. */
  readonly mean: number;
  /** The standard deviation of that mean over all permutations. */
  readonly sd: number;
  /** The two-sided p-value. */
  readonly p: number;
  /** The mid-p-value, which counts only half of the probability of the observed mean. */
  readonly midP: number;
}

/** From this number of cases that could differ, the normal distribution is as accurate as drawing. */
const NORMAL_FROM = 50;
/** The maximum number of steps for an exact distribution. Beyond that, permutations are drawn. */
const MOST_STEPS = 2e7;
const DRAWS = 9999;

/**
 * Tests whether two runs of the same cases come from the same agent: repeats of a case are exchanged between the runs,
 * and p is the share of all exchanges that move the mean at least as far from 0 as the observed one. The result is for
 * these cases only: how much cases differ from each other does not matter.
 *
 * Fisher's randomisation test, stratified by case; for passes and failures, the exact form of the
 * Cochran-Mantel-Haenszel test. With 50 or more cases whose values are not all equal, by the normal distribution; with
 * fewer, exact for two distinct values if that is feasible, otherwise by 9,999 permutations with a fixed seed. The
 * order of cases and repeats does not change p; swapping the runs changes it at most by the error of drawing. Unknown
 * without cases.
 *
 * @throws RangeError if a value is not a finite number, or a case has no value in one of the runs.
 */
export function withinCasePermutation(cases: readonly RepeatsOfTwoRuns[]): WithinCasePermutation | Unknown {
  const n = cases.length;
  if (n === 0) return unknown('there are no cases');
  for (const [index, { base, candidate }] of cases.entries()) {
    checkNumbers(base, `cases[${index}].base`);
    checkNumbers(candidate, `cases[${index}].candidate`);
    checkCount(base.length, `cases[${index}].base.length`, 1);
    checkCount(candidate.length, `cases[${index}].candidate.length`, 1);
  }
  const sum = cases.reduce((all, one) => all + differenceOf(one), 0);
  const open = cases.map(poolOf).filter(({ values }) => values[0] !== values.at(-1));
  const variance = open.reduce((all, one) => all + varianceOf(one), 0);
  const mean = sum / n;
  const sd = Math.sqrt(variance) / n;
  if (open.length === 0) return { n, mean, sd: 0, p: 1, midP: 1 };
  // Rounding errors are relative to the size of the values, not of the differences.
  const tie = TIE * open.reduce((all, { values }) => all + Math.max(...values.map(Math.abs)), 0);
  const observed = Math.abs(sum);
  if (observed <= tie) return { n, mean, sd, p: 1, midP: 1 };
  if (open.length >= NORMAL_FROM) {
    const p = 2 * normalCdf(-observed / Math.sqrt(variance));
    return { n, mean, sd, p, midP: p };
  }
  return { n, mean, sd, ...(exactTails(open, observed) ?? drawnTails(open, observed, tie)) };
}

function logChoose(n: number, k: number): number {
  return k === 0 || k === n ? 0 : -Math.log(n + 1) - logBeta(k + 1, n - k + 1);
}

/** All values of a case in ascending order. */
interface Pool {
  readonly values: readonly number[];
  /** The number of values in the run that has fewer of them. */
  readonly fewer: number;
  /** 1 if that run is the candidate, otherwise -1. */
  readonly sign: 1 | -1;
}

function poolOf({ base, candidate }: RepeatsOfTwoRuns): Pool {
  return {
    values: [...base, ...candidate].sort((one, other) => one - other),
    fewer: Math.min(base.length, candidate.length),
    sign: candidate.length <= base.length ? 1 : -1,
  };
}

function differenceOf({ base, candidate }: RepeatsOfTwoRuns): number {
  return sumOf(candidate) / candidate.length - sumOf(base) / base.length;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Computes the variance of the difference of means over all ways to divide the values. */
function varianceOf({ values, fewer }: Pool): number {
  const size = values.length;
  const mean = sumOf(values) / size;
  const spread = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (size - 1);
  return (spread * size) / (fewer * (size - fewer));
}

/**
 * Computes exact p-values for two distinct values from the distribution of the sum, or `null` if that would take too
 * long.
 */
function exactTails(open: readonly Pool[], observed: number): { readonly p: number; readonly midP: number } | null {
  const [low, high] = [
    Math.min(...open.map(({ values }) => values[0]!)),
    Math.max(...open.map(({ values }) => values.at(-1)!)),
  ];
  if (open.some(({ values }) => values.some((value) => value !== low && value !== high))) return null;
  const unit = open.reduce((all, { values, fewer }) => leastCommon(all, leastCommon(fewer, values.length - fewer)), 1);
  const width = 2 * unit * open.length + 1;
  if (width * open.reduce((all, { fewer }) => all + fewer + 1, 0) > MOST_STEPS) return null;
  // Index `middle + t` holds the probability that the sum is t units of (high - low) / unit.
  const middle = unit * open.length;
  let distribution = new Float64Array(width);
  distribution[middle] = 1;
  let reach = 0;
  for (const { values, fewer, sign } of open) {
    const size = values.length;
    const highs = values.filter((value) => value === high).length;
    const next = new Float64Array(width);
    for (let own = Math.max(0, highs - (size - fewer)); own <= Math.min(fewer, highs); own++) {
      const probability = Math.exp(
        logChoose(fewer, own) + logChoose(size - fewer, highs - own) - logChoose(size, highs),
      );
      const step = sign * ((unit / fewer) * own - (unit / (size - fewer)) * (highs - own));
      for (let at = middle - reach; at <= middle + reach; at++) {
        if (distribution[at] !== 0) next[at + step]! += distribution[at]! * probability;
      }
    }
    reach += unit;
    distribution = next;
  }
  const least = Math.round((observed / (high - low)) * unit);
  let [p, itself] = [0, 0];
  for (let t = least; t <= middle; t++) {
    const both = distribution[middle + t]! + distribution[middle - t]!;
    p += both;
    if (t === least) itself = both;
  }
  return { p: Math.min(1, p), midP: Math.min(1, p - itself / 2) };
}

function leastCommon(a: number, b: number): number {
  let [one, other] = [a, b];
  while (other !== 0) [one, other] = [other, one % other];
  return (a / one) * b;
}

function drawnTails(
  open: readonly Pool[],
  observed: number,
  tie: number,
): { readonly p: number; readonly midP: number } {
  const random = createRandom(1);
  const pools = [...open].sort(byContent).map((one) => ({ ...one, values: [...one.values], sum: sumOf(one.values) }));
  let [reached, passed] = [0, 0];
  for (let draw = 0; draw < DRAWS; draw++) {
    const sum = Math.abs(pools.reduce((all, one) => all + drawnDifference(one, random), 0));
    if (sum >= observed - tie) reached += 1;
    if (sum > observed + tie) passed += 1;
  }
  return { p: (1 + reached) / (1 + DRAWS), midP: (1 + (reached + passed) / 2) / (1 + DRAWS) };
}

/**
 * Moves a random part of the values to the front and returns the difference of means if it were the run with fewer
 * values.
 */
function drawnDifference(
  { values, fewer, sign, sum }: Pool & { readonly values: number[]; readonly sum: number },
  random: Random,
): number {
  let own = 0;
  for (let place = 0; place < fewer; place++) {
    const other = place + Math.floor(uniform(random) * (values.length - place));
    [values[place], values[other]] = [values[other]!, values[place]!];
    own += values[place]!;
  }
  return sign * (own / fewer - (sum - own) / (values.length - fewer));
}

function byContent(one: Pool, other: Pool): number {
  const size = one.values.length - other.values.length || one.fewer - other.fewer || one.sign - other.sign;
  if (size !== 0) return size;
  for (const [index, value] of one.values.entries()) {
    const less = value - other.values[index]!;
    if (less !== 0) return less;
  }
  return 0;
}
