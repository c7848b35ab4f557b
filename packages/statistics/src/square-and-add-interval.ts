import { betaQuantileOf } from './beta-quantile.ts';
import { checkPositive, checkProbability, checkShare } from './check.ts';
import type { Interval } from './interval.ts';

/** A rate estimated from a sample. */
export interface EstimatedRate {
  /** From 0 to 1. */
  readonly rate: number;
  /** The number of independent cases that it is based on, above 0. Need not be an integer. */
  readonly n: number;
  /**
   * The share of its variance that remains, from 0 to 1: (N - n) / (N - 1) for the rate of exactly N cases of which n
   * were seen. Default 1: the rate of all cases like these.
   */
  readonly unseen?: number | undefined;
}

export interface FunctionInterval extends Interval {
  /** The value of the function at the estimated rates. */
  readonly value: number;
}

/**
 * Computes a confidence interval for a number that is derived from several rates, each estimated from its own sample: a
 * weighted rate, a difference, kappa. Each rate in turn is moved to either end of its own interval while the others
 * stay fixed, and the distances are added in squares, separately for each side. `level`: default 0.95. The ends are not
 * clipped to the values that the function can take.
 *
 * Square-and-add (Newcombe 1998, Statistics in Medicine 17; Zou and Donner 2008, 27). The ends for a rate are quantiles
 * of Beta(k + 1/3, n - k + 2/3) and Beta(k + 2/3, n - k + 1/3), whose parameters lie between those of Clopper-Pearson's
 * interval and those of Jeffreys'. With Wilson's intervals, which are too short for rates near 1 and few cases, the
 * coverage for a stratified rate is only 88% in some settings.
 *
 * @throws RangeError if a rate or `unseen` is not a probability, `n` is not above 0, or `level` does not lie between 0
 *   and 1.
 */
export function squareAndAddInterval(
  rates: readonly EstimatedRate[],
  of: (rates: readonly number[]) => number,
  level = 0.95,
): FunctionInterval {
  checkShare(level, 'level');
  const tail = (1 - level) / 2;
  const point = rates.map(({ rate }) => rate);
  const value = of(point);
  let [below, above] = [0, 0];
  for (const [index, { rate, n, unseen = 1 }] of rates.entries()) {
    checkProbability(rate, `rates[${index}].rate`);
    checkPositive(n, `rates[${index}].n`);
    checkProbability(unseen, `rates[${index}].unseen`);
    const moved = ends(rate, n, tail).map((end) => of(point.with(index, end)));
    below += unseen * Math.max(0, value - Math.min(...moved)) ** 2;
    above += unseen * Math.max(0, Math.max(...moved) - value) ** 2;
  }
  return { value, low: value - Math.sqrt(below), high: value + Math.sqrt(above) };
}

function ends(rate: number, n: number, tail: number): readonly [number, number] {
  const [passed, failed] = [rate * n, (1 - rate) * n];
  return [
    rate === 0 ? 0 : betaQuantileOf(tail, 1 - tail, passed + 1 / 3, failed + 2 / 3),
    rate === 1 ? 1 : betaQuantileOf(1 - tail, tail, passed + 2 / 3, failed + 1 / 3),
  ];
}
