import { checkProbability } from './check.ts';
import { rootOf } from './root.ts';

/** The distance from 0 beyond which the tail's continued fraction needs fewer terms than the series around 0. */
const TAIL = 2.5;
const SQRT_2PI = Math.sqrt(2 * Math.PI);

/**
 * Computes the standard normal distribution function: the probability of a value below `z`. The result lies between 0
 * and 1, with a relative error of about 1e-13, even far out in the lower tail.
 *
 * Series around 0 and Laplace's continued fraction in the tails (Abramowitz and Stegun 26.2.11, 26.2.14).
 *
 * @throws RangeError if `z` is not a number. Infinity is allowed.
 */
export function normalCdf(z: number): number {
  if (typeof z !== 'number' || Number.isNaN(z)) {
    throw new RangeError(`z is ${z}, but must be a number: a distance from the mean in standard deviations.`);
  }
  if (Math.abs(z) < TAIL) return 0.5 + Math.sign(z) * central(Math.abs(z));
  const tail = Math.exp(logTail(Math.abs(z)));
  return z < 0 ? tail : 1 - tail;
}

/**
 * Computes the `z` below which a standard normal value lies with probability `p`: `-Infinity` at 0, `Infinity` at 1.
 * The inverse of `normalCdf`, by Newton's method, with a relative error of about 1e-15.
 *
 * @throws RangeError if `p` is not a probability.
 */
export function normalQuantile(p: number): number {
  checkProbability(p, 'p');
  if (p > 0.5) return magnitude(1 - p, p);
  return p === 0.5 ? 0 : -magnitude(p, p);
}

/**
 * Computes the positive quantile for an upper tail below one half. `p` is that tail or its complement, with more
 * digits.
 */
function magnitude(tail: number, p: number): number {
  if (tail === 0) return Infinity;
  if (tail > 0.25) {
    const share = Math.abs(p - 0.5);
    return rootOf((z) => ({ value: central(z) - share, slope: density(z) }), 0, 1, share * SQRT_2PI);
  }
  const logOfTail = Math.log(tail);
  // Hastings' approximation, with an error of at most 4.5e-4 (Abramowitz and Stegun 26.2.23).
  const t = Math.sqrt(-2 * logOfTail);
  const start = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  const at = (z: number) => {
    const log = logTail(z);
    return { value: logOfTail - log, slope: density(z, log) };
  };
  return rootOf(at, 0.5, 40, start);
}

/** Computes the density at `z`, as a multiple of e^`log`. */
function density(z: number, log = 0): number {
  return Math.exp((-z * z) / 2 - log) / SQRT_2PI;
}

/** Computes the probability between 0 and `z`: phi(z) (z + z^3/3 + z^5/15 + ...). */
function central(z: number): number {
  let term = z;
  let sum = z;
  for (let odd = 3; term > sum * 1e-17; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return sum * density(z);
}

/** Computes the logarithm of the probability above `z`, for non-negative `z`. */
function logTail(z: number): number {
  if (z < TAIL) return Math.log(0.5 - central(z));
  if (z === Infinity) return -Infinity;
  // phi(z) / (z + 1 / (z + 2 / (z + 3 / ...))), evaluated from the inside out.
  let fraction = z;
  for (let term = 70; term > 0; term--) fraction = z + term / fraction;
  return (-z * z) / 2 - Math.log(SQRT_2PI * fraction);
}
