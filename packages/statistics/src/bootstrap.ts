import { checkCount, checkNumbers, checkShare } from './check.ts';
import type { Interval } from './interval.ts';
import { meanOf } from './moments.ts';
import { normalCdf, normalQuantile } from './normal.ts';
import { createRandom } from './random.ts';
import { type Unknown, unknown } from './unknown.ts';

/**
 * Computes the quantile of values in ascending order, for a `share` from 0 to 1: the value at position (n - 1) share,
 * with linear interpolation between neighbours. Type 7 of Hyndman and Fan 1996, as in R and NumPy.
 */
export function quantileOfSorted(sorted: ArrayLike<number>, share: number): number {
  const position = (sorted.length - 1) * share;
  const below = Math.min(Math.max(Math.floor(position), 0), sorted.length - 1);
  const value = sorted[below]!;
  const next = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return value + (position - below) * (next - value);
}

/** The statistic to compute: a name, or a function of at least one value that does not depend on their order. */
export type Statistic = 'mean' | 'median' | ((values: readonly number[]) => number);

export interface Resampled {
  /** One value per case. */
  readonly values: readonly number[];
  readonly statistic: Statistic;
  /**
   * Samples of the cases with replacement, as indices, each as large as the number of cases. See `bootstrapResamples`.
   */
  readonly resamples: readonly ArrayLike<number>[];
  /** Default 0.95. */
  readonly level?: number | undefined;
}

export interface BootstrapInterval extends Interval {
  /** The statistic of the values themselves. */
  readonly estimate: number;
}

export interface BcaInterval extends BootstrapInterval {
  /** The bias of the resamples relative to the estimate, in standard deviations. */
  readonly z0: number;
  /** The rate at which the standard error changes with the true value. */
  readonly acceleration: number;
}

/**
 * Computes the percentile bootstrap interval of a statistic over cases, in the statistic's unit. Unknown with fewer
 * than two cases or without resamples. Meant for medians, ratios and pass^k: for means, the t interval is as good and
 * needs no resamples.
 *
 * Uses quantiles of the statistic over resamples, interpolated as type 7 (Efron 1979). For means of skewed scores it
 * covers 90 to 91% at 15 cases, where the t interval covers 92 to 93%; at 60 cases, both cover about the same.
 *
 * @throws RangeError if a value is not a finite number, a resample has the wrong size or an index that belongs to no
 *   case, or `level` does not lie between 0 and 1.
 */
export function bootstrapPercentile(data: Resampled): BootstrapInterval | Unknown {
  const found = replicate(data);
  if ('unknown' in found) return found;
  const { estimate, sorted } = found;
  const tail = (1 - (data.level ?? 0.95)) / 2;
  return { estimate, low: quantileOfSorted(sorted, tail), high: quantileOfSorted(sorted, 1 - tail) };
}

/**
 * Computes the bootstrap interval corrected for bias and skew (BCa), in the statistic's unit. Unknown with fewer than
 * two cases, without resamples, if all resamples lie on one side of the estimate, or if leaving out any one case
 * changes nothing.
 *
 * Efron 1987 (Journal of the American Statistical Association 82), with acceleration by the jackknife. For means of
 * skewed scores it covers 91 to 92% at 15 cases, and the same as the t interval at 60: it is no better.
 *
 * @throws RangeError as for `bootstrapPercentile`.
 */
export function bootstrapBca(data: Resampled): BcaInterval | Unknown {
  const found = replicate(data);
  if ('unknown' in found) return found;
  const { estimate, sorted } = found;
  const { values } = data;
  // The same values in a different order may differ in their last digit.
  const tie = 1e-12 * Math.max(...[sorted[0]!, sorted.at(-1)!, estimate].map(Math.abs));
  let [below, equal] = [0, 0];
  for (const value of sorted) {
    if (Math.abs(value - estimate) <= tie) equal += 1;
    else if (value < estimate) below += 1;
  }
  const share = (below + equal / 2) / sorted.length;
  if (share === 0 || share === 1) return unknown('all resamples lie on one side of the estimate');

  const left = leaveOneOut(values, data.statistic);
  const centre = meanOf(left);
  const influences = left.map((value) => centre - value);
  const squares = influences.reduce((sum, u) => sum + u ** 2, 0);
  if (left.every((value) => value === left[0]) || squares === 0) return unknown('no single case makes a difference');
  const acceleration = influences.reduce((sum, u) => sum + u ** 3, 0) / (6 * squares ** 1.5);

  const z0 = normalQuantile(share);
  const end = (tail: number) => {
    const z = z0 + normalQuantile(tail);
    return quantileOfSorted(sorted, normalCdf(z0 + z / (1 - acceleration * z)));
  };
  const tail = (1 - (data.level ?? 0.95)) / 2;
  return { estimate, z0, acceleration, low: end(tail), high: end(1 - tail) };
}

/**
 * Draws seeded samples of `cases` cases with replacement, for the bootstrap. 2,000 are enough for the ends of a 95%
 * interval.
 *
 * @throws RangeError if `cases` or `count` is not a count above 0, or `seed` is not an integer.
 */
export function bootstrapResamples(cases: number, count: number, seed: number): Uint32Array[] {
  checkCount(cases, 'cases', 1);
  checkCount(count, 'count', 1);
  const random = createRandom(seed);
  const draw = () => Math.floor((random() / 2 ** 32) * cases);
  return Array.from({ length: count }, () => Uint32Array.from({ length: cases }, draw));
}

type Compute = (values: readonly number[]) => number;

/** Computes the statistic for the values, and for each resample, in ascending order. */
function replicate(data: Resampled): { estimate: number; sorted: Float64Array } | Unknown {
  const { values, resamples, level = 0.95 } = data;
  const statistic = computeOf(data.statistic);
  checkNumbers(values, 'values');
  checkShare(level, 'level');
  const n = values.length;
  for (const [index, resample] of resamples.entries()) {
    if (resample.length !== n) {
      throw new RangeError(
        `resamples[${index}] has ${resample.length} cases, but there are ${n} values. Draw as many.`,
      );
    }
    for (let place = 0; place < n; place++) {
      const drawn = resample[place]!;
      if (Number.isInteger(drawn) && drawn >= 0 && drawn < n) continue;
      throw new RangeError(`resamples[${index}][${place}] is ${drawn}, but must be the index of a value, from 0.`);
    }
  }
  if (n === 0) return unknown('there are no cases');
  if (n === 1) return unknown('one case has no spread: at least two are needed');
  if (resamples.length === 0) return unknown('there are no resamples');
  const sample = new Array<number>(n);
  const sorted = Float64Array.from(resamples, (resample) => {
    for (let place = 0; place < n; place++) sample[place] = values[resample[place]!]!;
    return statistic(sample);
  }).sort();
  return { estimate: statistic(values), sorted };
}

function computeOf(statistic: Statistic): Compute {
  if (typeof statistic === 'function') return statistic;
  if (statistic === 'mean') return meanOf;
  if (statistic === 'median') return (values) => quantileOfSorted(Float64Array.from(values).sort(), 0.5);
  throw new RangeError(`statistic is ${statistic}, but must be 'mean', 'median' or a function.`);
}

/** Computes the statistic with each value left out in turn. */
function leaveOneOut(values: readonly number[], statistic: Statistic): readonly number[] {
  const n = values.length;
  if (statistic === 'mean') {
    const mean = meanOf(values);
    return values.map((value) => mean + (mean - value) / (n - 1));
  }
  if (statistic === 'median') {
    const order = values.map((_, index) => index).sort((one, other) => values[one]! - values[other]!);
    const medians = new Array<number>(n);
    // The two middle positions among n - 1 values, skipping the one left out.
    const [low, high] = [Math.floor((n - 2) / 2), Math.ceil((n - 2) / 2)];
    for (const [rank, out] of order.entries()) {
      const at = (place: number) => values[order[place < rank ? place : place + 1]!]!;
      medians[out] = (at(low) + at(high)) / 2;
    }
    return medians;
  }
  return values.map((_, out) => statistic(values.filter((__, index) => index !== out)));
}
