import { checkPositive, checkProbability } from './check.ts';
import { logBeta } from './log-beta.ts';
import { STIRLING_FROM, stirlingError } from './log-gamma.ts';

/** A number in [0, 1], represented so that it is precise near both ends. */
export interface Place {
  readonly x: number;
  /** 1 - x */
  readonly y: number;
  readonly logX: number;
  readonly logY: number;
}

/** Both tails of a beta distribution, each accurate on its own. */
export interface Tails {
  readonly lower: number;
  readonly upper: number;
  /** x^a y^b / B(a, b), which is the density multiplied by x y. */
  readonly front: number;
}

/**
 * Computes the regularised incomplete beta function I_x(a, b): the probability below `x` in a beta distribution. The
 * result lies between 0 and 1, with a relative error of about 1e-14.
 *
 * Continued fraction by Lentz's method (Numerical Recipes 6.4; Abramowitz and Stegun 26.5.8). Takes about 10^4 terms
 * for a and b of 10^8, otherwise far fewer.
 *
 * @throws RangeError if `x` is not between 0 and 1, or `a` or `b` is not a finite number above 0.
 */
export function betaInc(x: number, a: number, b: number): number {
  checkProbability(x, 'x');
  checkPositive(a, 'a');
  checkPositive(b, 'b');
  if (x === 0 || x === 1) return x;
  return betaTails(placeAt(x), a, b).lower;
}

/** Represents a number by its distance from 0. */
export function placeAt(x: number): Place {
  return { x, y: 1 - x, logX: Math.log(x), logY: Math.log1p(-x) };
}

export function betaTails(place: Place, a: number, b: number): Tails {
  const { x, y } = place;
  const front = Math.exp(logFront(place, a, b));
  if (x <= (a + 1) / (a + b + 2)) {
    const lower = (front * continuedFraction(x, a, b)) / a;
    return { lower, upper: 1 - lower, front };
  }
  const upper = (front * continuedFraction(y, b, a)) / b;
  return { lower: 1 - upper, upper, front };
}

/** Computes the logarithm of x^a y^b / B(a, b). */
function logFront({ x, y, logX, logY }: Place, a: number, b: number): number {
  if (Math.min(a, b) < STIRLING_FROM) return a * logX + b * logY - logBeta(a, b);
  // Large terms would cancel, but not if they are measured from the mean (Loader 2000, for the binomial distribution).
  const away = x * b - y * a;
  return (
    a * log1pMinus(away / a) +
    b * log1pMinus(-away / b) +
    Math.log((a / (a + b)) * (b / (2 * Math.PI))) / 2 +
    stirlingError(a + b) -
    stirlingError(a) -
    stirlingError(b)
  );
}

/** Computes log(1 + u) - u without cancellation for small u. */
function log1pMinus(u: number): number {
  if (Math.abs(u) > 0.5) return Math.log1p(u) - u;
  // log(1 + u) = 2 (r + r^3/3 + r^5/5 + ...), r = u / (2 + u).
  const r = u / (2 + u);
  const square = r * r;
  let power = 2 * r * square;
  let sum = 0;
  for (let odd = 3; Math.abs(power) > 1e-18 * Math.abs(sum) && odd < 60; odd += 2) {
    sum += power / odd;
    power *= square;
  }
  return sum - r * u;
}

/**
 * Computes the continued fraction 1 / (1 + d1 / (1 + d2 / (1 + ...))) of the incomplete beta function, by Lentz's
 * method.
 */
function continuedFraction(x: number, a: number, b: number): number {
  const TINY = 1e-300;
  const notZero = (value: number) => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / notZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < 100_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / notZero(1 + even * d);
    c = notZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / notZero(1 + odd * d);
    c = notZero(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) <= Number.EPSILON) break;
  }
  return fraction;
}
