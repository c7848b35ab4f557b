import { checkCount, checkProbability } from './check.ts';

/**
 * Corrects p-values for multiple comparisons and returns them in the given order. Calling those below `q` significant
 * keeps the false discovery rate at `q` or less. Corrected values are at least as large as before, and at most 1. An
 * empty list gives an empty list.
 *
 * Benjamini and Hochberg 1995, as adjusted p-values. Valid for independent and for positively dependent tests.
 *
 * @throws RangeError if a p-value is not a probability.
 */
export function benjaminiHochberg(p: readonly number[]): number[] {
  for (const [index, value] of p.entries()) checkProbability(value, `p[${index}]`);
  const order = p.map((_, index) => index).sort((one, other) => p[other]! - p[one]!);
  const adjusted = new Array<number>(p.length);
  let least = 1;
  for (const [above, index] of order.entries()) {
    const rank = p.length - above;
    // In this order of operations, rounding cannot make a value smaller than it was.
    least = Math.min(least, p[index]! * (p.length / rank));
    adjusted[index] = least;
  }
  return adjusted;
}

/**
 * Corrects p-values for multiple comparisons and returns them in the given order. If those of at most `alpha` are
 * rejected, the probability of any wrong rejection is at most `alpha`, however the tests depend on each other.
 * Corrected values are at least as large as before, and at most 1. An empty list gives an empty list.
 *
 * Holm 1979, as adjusted p-values.
 *
 * @param others The number of further tests in the same family that are not in the list, none of which is assumed to be
 *   rejected. Default 0.
 * @throws RangeError if a p-value is not a probability, or `others` is not a count.
 */
export function holm(p: readonly number[], others = 0): number[] {
  for (const [index, value] of p.entries()) checkProbability(value, `p[${index}]`);
  checkCount(others, 'others');
  const order = p.map((_, index) => index).sort((one, other) => p[one]! - p[other]!);
  const adjusted = new Array<number>(p.length);
  let most = 0;
  for (const [below, index] of order.entries()) {
    most = Math.max(most, Math.min(1, p[index]! * (p.length + others - below)));
    adjusted[index] = most;
  }
  return adjusted;
}
