import { checkPart, checkPositive, checkShare } from './check.ts';
import type { Interval } from './interval.ts';
import { logBeta } from './log-beta.ts';
import { rootOf } from './root.ts';

export interface Mixture {
  /** The first parameter of the beta distribution over which rates are mixed. Default 1/2. */
  readonly a?: number | undefined;
  /** The second parameter. Default 1/2. */
  readonly b?: number | undefined;
}

/** `k` of `n` runs so far passed. */
export interface Passed {
  readonly k: number;
  readonly n: number;
}

/**
 * Computes the logarithm of the evidence against a pass rate of exactly `p`, after `k` of `n` runs passed: its
 * exponential is what a bet against that rate would have earned. Above log(1 / alpha), the rate is rejected at error
 * rate alpha, no matter when this is checked.
 *
 * log B(a + k, b + n - k) - log B(a, b) - k log p - (n - k) log(1 - p): a beta mixture of likelihood ratios (Robbins
 * 1970).
 *
 * @throws RangeError if `k` or `n` is not a count, `k` is above `n`, `p` does not lie between 0 and 1, or `a` or `b` is
 *   not above 0.
 */
export function betaMixtureLogE(data: Passed & Mixture & { readonly p: number }): number {
  const { k, n, p, a = 0.5, b = 0.5 } = data;
  checkPart(k, n, 'k', 'n');
  checkShare(p, 'p');
  checkPositive(a, 'a');
  checkPositive(b, 'b');
  return logEvidence(k, n, a, b) - k * Math.log(p) - (n - k) * Math.log1p(-p);
}

/**
 * Computes the rates that `k` passes in `n` runs do not yet reject, as an interval that may be checked after every run:
 * the probability that it ever excludes the true rate is at most `alpha` (default 0.05). Shares from 0 to 1; before the
 * first run, the whole range.
 *
 * Consists of all p with `betaMixtureLogE` below log(1 / alpha), which is valid for any stopping rule by Ville's
 * inequality. Uses the current `n` alone, without intersecting earlier intervals. With a gate at 0.8 and at most 60
 * repeats, it stops after 7 repeats on average at a rate of 0.3, 19 at 0.5 and 28 at 0.99, and is wrong in at most
 * 0.1%; between 0.7 and 0.9 it mostly stays undecided. Checking Wilson's interval after every run instead is wrong in
 * about 30 to 40% of cases.
 *
 * @throws RangeError as for `betaMixtureLogE`, and if `alpha` does not lie between 0 and 1.
 */
export function betaMixtureSequence(data: Passed & Mixture & { readonly alpha?: number | undefined }): Interval {
  const { k, n, alpha = 0.05, a = 0.5, b = 0.5 } = data;
  checkPart(k, n, 'k', 'n');
  checkShare(alpha, 'alpha');
  checkPositive(a, 'a');
  checkPositive(b, 'b');
  // If the log likelihood of a rate falls below this, the rate is rejected.
  const limit = logEvidence(k, n, a, b) + Math.log(alpha);
  return { low: lowerEnd(k, n - k, limit).p, high: lowerEnd(n - k, k, limit).q };
}

function logEvidence(k: number, n: number, a: number, b: number): number {
  return logBeta(a + k, b + n - k) - logBeta(a, b);
}

/**
 * Computes the rate p below k / (k + rest) at which k log p + rest log(1 - p) is `limit`, and q = 1 - p. Solves for the
 * logarithm of the smaller one, so that it keeps full precision.
 */
function lowerEnd(k: number, rest: number, limit: number): { readonly p: number; readonly q: number } {
  if (k === 0) return { p: 0, q: 1 };
  const best = k / (k + rest);
  const isSmall = best <= 0.5 || (k + rest) * Math.log(0.5) >= limit;
  if (isSmall) {
    const at = (logP: number) => {
      const p = Math.exp(logP);
      return { value: k * logP + rest * Math.log1p(-p) - limit, slope: k - (rest * p) / (1 - p) };
    };
    const p = Math.exp(rootOf(at, -745, Math.log(Math.min(best, 0.5)), limit / k));
    return { p, q: 1 - p };
  }
  const at = (logQ: number) => {
    const q = Math.exp(logQ);
    return { value: limit - k * Math.log1p(-q) - rest * logQ, slope: (k * q) / (1 - q) - rest };
  };
  const q = Math.exp(rootOf(at, rest === 0 ? -745 : Math.log(rest / (k + rest)), Math.log(0.5), Math.log(0.5)));
  return { p: 1 - q, q };
}
