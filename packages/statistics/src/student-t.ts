import { betaTails } from './beta-inc.ts';
import { checkPositive, checkProbability } from './check.ts';
import { normalQuantile } from './normal.ts';
import { rootOf } from './root.ts';

/**
 * Computes the distribution function of Student's t with `df` degrees of freedom, which need not be an integer. The
 * result lies between 0 and 1, with a relative error of about 1e-13, even far out in the lower tail. Uses the
 * incomplete beta function (Abramowitz and Stegun 26.7.1).
 *
 * @throws RangeError if `t` is not a number (infinity is allowed), or `df` is not a finite number above 0.
 */
export function studentTCdf(t: number, df: number): number {
  if (typeof t !== 'number' || Number.isNaN(t)) throw new RangeError(`t is ${t}, but must be a number.`);
  checkPositive(df, 'df');
  if (t === 0) return 0.5;
  if (!Number.isFinite(t)) return t < 0 ? 0 : 1;
  const { tail } = sharesAt(Math.log(Math.abs(t)), df);
  return t < 0 ? tail : 1 - tail;
}

/**
 * Computes the `t` below which Student's t lies with probability `p`: `-Infinity` at 0, `Infinity` at 1. The inverse of
 * `studentTCdf`, by Newton's method on logarithms, so that it works for t near 0 as well as for p = 1e-300.
 *
 * @throws RangeError if `p` is not a probability, or `df` is not a finite number above 0.
 */
export function studentTQuantile(p: number, df: number): number {
  checkProbability(p, 'p');
  checkPositive(df, 'df');
  if (p === 0.5) return 0;
  const tail = Math.min(p, 1 - p);
  const sign = p < 0.5 ? -1 : 1;
  if (tail === 0) return sign * Infinity;
  const share = Math.abs(p - 0.5);
  const target = Math.log(Math.min(tail, share));
  const at = (logT: number) => {
    const found = sharesAt(logT, df);
    return tail < share
      ? { value: target - Math.log(found.tail), slope: found.density / found.tail }
      : { value: Math.log(found.central) - target, slope: found.density / found.central };
  };
  return sign * Math.exp(rootOf(at, -745, 1e5, Math.log(Math.abs(normalQuantile(p)))));
}

/** Computes, at t = e^logT, the probabilities above t and between 0 and t, and the density times t. */
function sharesAt(logT: number, df: number): { tail: number; central: number; density: number } {
  // x = df / (df + t^2), y = 1 - x, where t^2 may exceed the range of a double.
  const logRatio = 2 * logT - Math.log(df);
  const logX = logRatio > 40 ? -logRatio : -Math.log1p(Math.exp(logRatio));
  const logY = logRatio + logX;
  const { lower, upper, front } = betaTails({ x: Math.exp(logX), y: Math.exp(logY), logX, logY }, df / 2, 0.5);
  return { tail: lower / 2, central: upper / 2, density: front };
}
