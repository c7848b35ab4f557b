import { checkNumbers } from './check.ts';
import { meanOf, varianceOf } from './moments.ts';
import { normalQuantile } from './normal.ts';
import { type Unknown, unknown } from './unknown.ts';

export interface VarianceComponents {
  /** The number of cases. */
  readonly cases: number;
  /** The mean of the case means. */
  readonly mean: number;
  /** The variance between repeats of the same case: the noise of agent and judge together. */
  readonly within: number;
  /** The variance between the true means of cases: how much cases differ. */
  readonly between: number | Unknown;
  /** between / (between + within): the share of a single run's variance that comes from differences between cases. */
  readonly icc: number | Unknown;
  /** The standard error of the mean, for a new sample of similar cases. */
  readonly seMean: number | Unknown;
  /** The standard deviation of the mean when the same cases are run again. */
  readonly noiseSdMean: number;
  /** The standard deviation of the difference between two such runs. */
  readonly noiseSdDifference: number;
  /**
   * The distance within which the mean of a run lies from the mean over infinitely many repeats, in 95% of reruns. The
   * difference of two runs varies more: see below.
   */
  readonly noiseFloor95Mean: number;
  /** The largest difference between the means of two such runs in 95 of 100 comparisons if nothing changed. */
  readonly noiseFloor95Difference: number;
}

/**
 * Separates the spread of scores into the noise between repeats and the differences between cases. `cases` has each
 * case's scores, one per repeat. Variances are in squared units of the scores. Unknown if no case has two repeats,
 * because noise that was not measured is not 0. With a single case, noise is known, and everything that compares cases
 * is unknown.
 *
 * Analysis of variance with random effects: within is the mean of the unbiased variances of cases with at least two
 * repeats; between is max(0, variance of case means - within / r), with r the harmonic mean of the numbers of repeats.
 * Few repeats measure noise poorly: with 2 repeats of 10 cases, within is off by about 45% (one standard deviation,
 * normal scores).
 *
 * @throws RangeError if a case is empty, or a score is not a finite number.
 */
export function varianceComponents(cases: readonly (readonly number[])[]): VarianceComponents | Unknown {
  for (const [index, scores] of cases.entries()) {
    if (scores.length === 0) throw new RangeError(`cases[${index}] is empty. Leave out cases without a score.`);
    checkNumbers(scores, `cases[${index}]`);
  }
  const n = cases.length;
  if (n === 0) return unknown('there are no cases');
  const repeated = cases.filter((scores) => scores.length >= 2);
  if (repeated.length === 0) return unknown('no case has two repeats, so that noise was not measured');

  const means = cases.map(meanOf);
  const within = meanOf(repeated.map(varianceOf));
  const perRepeat = meanOf(cases.map((scores) => 1 / scores.length));
  const noiseSdMean = Math.sqrt((within * perRepeat) / n);
  const z = normalQuantile(0.975);
  return {
    cases: n,
    mean: meanOf(means),
    within,
    ...acrossCases(means, within, perRepeat),
    noiseSdMean,
    noiseSdDifference: Math.SQRT2 * noiseSdMean,
    noiseFloor95Mean: z * noiseSdMean,
    noiseFloor95Difference: z * Math.SQRT2 * noiseSdMean,
  };
}

function acrossCases(
  means: readonly number[],
  within: number,
  perRepeat: number,
): Pick<VarianceComponents, 'between' | 'icc' | 'seMean'> {
  if (means.length === 1) {
    const single = unknown('one case does not show how cases differ: at least two are needed');
    return { between: single, icc: single, seMean: single };
  }
  const ofMeans = varianceOf(means);
  const between = Math.max(0, ofMeans - within * perRepeat);
  const total = between + within;
  return {
    between,
    icc: total > 0 ? between / total : unknown('all scores are equal'),
    seMean: Math.sqrt(ofMeans / means.length),
  };
}
