import { checkNumbers, checkShare } from './check.ts';
import type { MeanInterval } from './interval.ts';
import { meanOf, varianceOf } from './moments.ts';
import { studentTQuantile } from './student-t.ts';
import { type Unknown, unknown } from './unknown.ts';

export interface TInterval extends MeanInterval {
  /** The standard deviation of the values. */
  readonly sd: number;
}

/**
 * Computes a confidence interval for a mean, in the unit of the values. Takes one value per case, such as its mean over
 * repeats. The ends are not clipped to any range. `level`: default 0.95. Unknown with fewer than two values; if all
 * values are equal, their spread and the width of the interval are 0.
 *
 * mean +- t s / sqrt(n) (Student 1908). With skewed scores it covers 92 to 93% at 15 cases and 94 to 95.5% at 60, which
 * bootstrap intervals do not improve on. Not for pass rates: at 20 cases and a rate of 0.97 it covers 46%.
 *
 * @throws RangeError if a value is not a finite number, or `level` does not lie between 0 and 1.
 */
export function tInterval(values: readonly number[], level = 0.95): TInterval | Unknown {
  checkNumbers(values, 'values');
  checkShare(level, 'level');
  const n = values.length;
  if (n === 0) return unknown('there are no values');
  if (n === 1) return unknown('one value has no spread: at least two are needed');
  const sd = Math.sqrt(varianceOf(values));
  const { mean, se, df, low, high } = tAround(meanOf(values), sd / Math.sqrt(n), n - 1, level);
  return { mean, sd, se, df, low, high };
}

/** Computes mean +- t se. */
export function tAround(mean: number, se: number, df: number, level: number): MeanInterval {
  const half = -studentTQuantile((1 - level) / 2, df) * se;
  return { mean, se, df, low: mean - half, high: mean + half };
}
