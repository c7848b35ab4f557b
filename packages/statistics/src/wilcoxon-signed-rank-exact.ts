import { checkNumbers } from './check.ts';
import { type Alternative, checkAlternative } from './fisher-exact.ts';
import { type Unknown, unknown } from './unknown.ts';

/**
 * The maximum number of differences. With more, the probabilities of single rank sums would be too small for a double.
 */
const MOST = 1000;

export interface WilcoxonSignedRank {
  /** The sum of the ranks of positive differences. */
  readonly wPlus: number;
  readonly p: number;
}

/**
 * Runs the exact signed-rank test on paired differences, for ordinal scores. `greater` tests whether differences tend
 * to lie above 0. p is from 0 to 1. Unknown without differences. Time grows with the cube of their number.
 *
 * Wilcoxon 1945; the distribution of the rank sum is found by counting. Exact only without zeros and ties, which scores
 * from 0 to 1 often have: use `signFlipTest` for those.
 *
 * @throws RangeError if a difference is 0 or not a finite number, two have the same magnitude, there are more than
 *   1,000, or `alternative` is not one of the three.
 */
export function wilcoxonSignedRankExact(
  differences: readonly number[],
  alternative: Alternative = 'two-sided',
): WilcoxonSignedRank | Unknown {
  checkNumbers(differences, 'differences');
  checkAlternative(alternative);
  const n = differences.length;
  if (n > MOST)
    throw new RangeError(`there are ${n} differences, and at most ${MOST} can be counted. Use signFlipTest.`);
  const ordered = differences.toSorted((one, other) => Math.abs(one) - Math.abs(other));
  for (const [index, value] of ordered.entries()) {
    const isTie = index > 0 && Math.abs(value) === Math.abs(ordered[index - 1]!);
    if (value !== 0 && !isTie) continue;
    const problem = value === 0 ? 'a difference is 0' : `two differences have the magnitude ${Math.abs(value)}`;
    throw new RangeError(`${problem}, and there is no exact form for that. Use signFlipTest.`);
  }
  if (n === 0) return unknown('there are no differences');

  const wPlus = ordered.reduce((sum, value, index) => sum + (value > 0 ? index + 1 : 0), 0);
  const probabilities = rankSums(n);
  const lower = probabilities.subarray(0, wPlus + 1).reduce((sum, p) => sum + p, 0);
  const upper = probabilities.subarray(wPlus).reduce((sum, p) => sum + p, 0);
  if (alternative === 'greater') return { wPlus, p: Math.min(1, upper) };
  return { wPlus, p: Math.min(1, alternative === 'less' ? lower : 2 * Math.min(lower, upper)) };
}

/** Computes the probability of each sum over the ranks 1 to n, each included with probability 1/2. */
function rankSums(n: number): Float64Array {
  const probabilities = new Float64Array((n * (n + 1)) / 2 + 1);
  probabilities[0] = 1;
  let most = 0;
  for (let rank = 1; rank <= n; rank++) {
    most += rank;
    for (let sum = most; sum >= 0; sum--) {
      const without = probabilities[sum]!;
      const withRank = sum >= rank ? probabilities[sum - rank]! : 0;
      probabilities[sum] = (without + withRank) / 2;
    }
  }
  return probabilities;
}
