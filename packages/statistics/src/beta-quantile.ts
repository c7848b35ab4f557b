import { betaTails, placeAt } from './beta-inc.ts';
import { checkPositive, checkProbability } from './check.ts';
import { logBeta } from './log-beta.ts';
import { rootOf } from './root.ts';

/**
 * Computes the `x` below which a beta distribution has probability `p`: the inverse of `betaInc`. The result lies
 * between 0 and 1, with a relative error of about 1e-14. Uses Newton's method on logarithms, kept inside a bracket.
 *
 * @throws RangeError if `p` is not a probability, or `a` or `b` is not a finite number above 0.
 */
export function betaQuantile(p: number, a: number, b: number): number {
  checkProbability(p, 'p');
  checkPositive(a, 'a');
  checkPositive(b, 'b');
  return betaQuantileOf(p, 1 - p, a, b);
}

/** Computes `betaQuantile` from both tails, for callers that know the upper one more precisely than 1 - p. */
export function betaQuantileOf(lower: number, upper: number, a: number, b: number): number {
  if (lower === 0) return 0;
  if (upper === 0) return 1;
  // A value near 1 is found by its distance from 1, which has more digits.
  const half = betaTails(placeAt(0.5), a, b);
  if (lower <= half.lower) return inLowerHalf(lower, upper, a, b);
  return 1 - inLowerHalf(upper, lower, b, a);
}

/** Finds a quantile of at most one half by its logarithm, so that small ones keep their precision. */
function inLowerHalf(lower: number, upper: number, a: number, b: number): number {
  const target = Math.log(Math.min(lower, upper));
  const at = (logX: number) => {
    const x = Math.exp(logX);
    const tails = betaTails({ x, y: 1 - x, logX, logY: Math.log1p(-x) }, a, b);
    const slope = tails.front / (1 - x);
    return lower <= upper
      ? { value: Math.log(tails.lower) - target, slope: slope / tails.lower }
      : { value: target - Math.log(tails.upper), slope: slope / tails.upper };
  };
  const nearZero = (Math.log(lower) + Math.log(a) + logBeta(a, b)) / a;
  return Math.exp(rootOf(at, -745, Math.log(0.5), Math.min(nearZero, Math.log(a / (a + b)))));
}
