import { checkCount, checkNotNegative, checkPositive, checkProbability, checkShare } from './check.ts';
import { normalQuantile } from './normal.ts';
import { type Unknown, unknown } from './unknown.ts';

// Computes the differences that comparisons can detect, and the sizes that they need. Variances come from
// `varianceComponents`.

interface Test {
  /** The probability of finding a difference when there is none. Default 0.05. */
  readonly alpha?: number | undefined;
  /** The probability of finding a difference of the given size. Default 0.8. */
  readonly power?: number | undefined;
}

/** Variances for a comparison of two runs of the same cases. */
export interface PairedVariance extends Test {
  /** The variance across cases of the true difference between the two agents; 0 if it is the same for all cases. */
  readonly omega2: number;
  /** The variance between repeats of the same case. */
  readonly within: number;
}

/** Variances for a comparison of two runs of different cases. */
export interface UnpairedVariance extends Test {
  /** The variance between the true means of cases. */
  readonly between: number;
  /** The variance between repeats of the same case. */
  readonly within: number;
}

/** `raw` is the result of the formula; `cases` is rounded up, and at least 1. */
export interface SampleSize {
  readonly raw: number;
  readonly cases: number;
}

/**
 * Computes the smallest difference of means that two runs of the same `cases` cases with `repeats` repeats each can
 * detect. In the unit of the scores. Unknown without cases, or if the variances are 0.
 *
 * (z_(1-alpha/2) + z_power) sqrt((omega2 + 2 within / repeats) / cases), after the power formula of Miller 2024 (arXiv
 * 2411.00640). The variances are estimates themselves, so treat the result as an order of magnitude.
 *
 * @throws RangeError if a variance is negative, a count is invalid, or `alpha` or `power` does not lie between 0 and 1.
 */
export function mdePaired(
  plan: PairedVariance & { readonly repeats: number; readonly cases: number },
): number | Unknown {
  return smallestDifference(pairedVariance(plan, plan.repeats), plan.cases, plan);
}

/**
 * Computes the same as `mdePaired` for two runs of different cases: 2 (between + within / repeats) replaces the
 * variance. The difference between cases then counts as noise, so that many more cases are needed.
 *
 * @throws RangeError as for `mdePaired`.
 */
export function mdeUnpaired(
  plan: UnpairedVariance & { readonly repeats: number; readonly cases: number },
): number | Unknown {
  return smallestDifference(unpairedVariance(plan, plan.repeats), plan.cases, plan);
}

/**
 * Computes how many cases are needed to detect a difference of `delta` if both runs have the same cases. The inverse of
 * `mdePaired`. Unknown if the variances are 0.
 *
 * @throws RangeError if `delta` is not above 0; otherwise as for `mdePaired`.
 */
export function sampleSizePaired(
  plan: PairedVariance & { readonly repeats: number; readonly delta: number },
): SampleSize | Unknown {
  return casesFor(pairedVariance(plan, plan.repeats), plan.delta, plan);
}

/**
 * Computes how many cases each run needs to detect a difference of `delta` if the two runs have different cases. The
 * inverse of `mdeUnpaired`. Unknown if the variances are 0.
 *
 * @throws RangeError if `delta` is not above 0; otherwise as for `mdePaired`.
 */
export function sampleSizeUnpaired(
  plan: UnpairedVariance & { readonly repeats: number; readonly delta: number },
): SampleSize | Unknown {
  return casesFor(unpairedVariance(plan, plan.repeats), plan.delta, plan);
}

/**
 * Computes how many repeats of each of `cases` cases are needed to detect a difference of `delta` if both runs have the
 * same cases. Unknown if no number of repeats is enough because the cases differ too much, in which case more cases are
 * needed. Also unknown if the variances are 0.
 *
 * 2 within / (cases delta^2 / (z_(1-alpha/2) + z_power)^2 - omega2): `mdePaired`, solved for the repeats.
 *
 * @throws RangeError if `delta` is not above 0; otherwise as for `mdePaired`.
 */
export function repeatsPaired(
  plan: PairedVariance & { readonly cases: number; readonly delta: number },
): { readonly raw: number; readonly repeats: number } | Unknown {
  const { omega2, within, cases, delta } = plan;
  const z = quantiles(plan);
  if (pairedVariance(plan, 1) === 0) return noVariance();
  checkCount(cases, 'cases');
  checkPositive(delta, 'delta');
  const room = (cases * delta ** 2) / z ** 2 - omega2;
  if (room <= 0) return unknown('no number of repeats is enough: add cases');
  const raw = (2 * within) / room;
  return { raw, repeats: atLeastOne(raw) };
}

/**
 * Computes how many cases are needed to estimate a pass rate near `p` to within `halfWidth` on either side. `level`:
 * default 0.95. Unknown if `p` is 0 or 1, which have no spread: plan with another plausible rate.
 *
 * z^2 p (1 - p) / halfWidth^2, the normal approximation, which is too small near 0 and 1. Assumes one run per case.
 *
 * @throws RangeError if `p` is not a probability, `halfWidth` is not above 0, or `level` does not lie between 0 and 1.
 */
export function sampleSizeRate(
  p: number,
  halfWidth: number,
  level = 0.95,
): { readonly raw: number; readonly n: number } | Unknown {
  checkProbability(p, 'p');
  checkPositive(halfWidth, 'halfWidth');
  checkShare(level, 'level');
  if (p === 0 || p === 1) return unknown('a rate of 0 or 1 has no spread: plan with a rate between them');
  const raw = (normalQuantile((1 - level) / 2) ** 2 * p * (1 - p)) / halfWidth ** 2;
  return { raw, n: atLeastOne(raw) };
}

/** Computes z_(1-alpha/2) + z_power. */
function quantiles({ alpha = 0.05, power = 0.8 }: Test): number {
  checkShare(alpha, 'alpha');
  checkShare(power, 'power');
  return normalQuantile(power) - normalQuantile(alpha / 2);
}

/** Computes the variance of the difference between two runs of the same case. */
function pairedVariance({ omega2, within }: PairedVariance, repeats: number): number {
  checkNotNegative(omega2, 'omega2');
  checkNotNegative(within, 'within');
  checkCount(repeats, 'repeats', 1);
  return omega2 + (2 * within) / repeats;
}

/** Computes the variance of the difference between runs of two different cases. */
function unpairedVariance({ between, within }: UnpairedVariance, repeats: number): number {
  checkNotNegative(between, 'between');
  checkNotNegative(within, 'within');
  checkCount(repeats, 'repeats', 1);
  return 2 * (between + within / repeats);
}

function smallestDifference(variance: number, cases: number, test: Test): number | Unknown {
  const z = quantiles(test);
  checkCount(cases, 'cases');
  if (cases === 0) return unknown('there are no cases');
  return variance === 0 ? noVariance() : z * Math.sqrt(variance / cases);
}

function casesFor(variance: number, delta: number, test: Test): SampleSize | Unknown {
  const z = quantiles(test);
  checkPositive(delta, 'delta');
  if (variance === 0) return noVariance();
  const raw = (z ** 2 * variance) / delta ** 2;
  return { raw, cases: atLeastOne(raw) };
}

function noVariance(): Unknown {
  return unknown('no variance was given: measure it with repeats, or assume one');
}

/** Rounds up to at least 1, but not because of a rounding error alone. */
function atLeastOne(raw: number): number {
  const nearest = Math.round(raw);
  return Math.max(1, Math.abs(raw - nearest) <= 1e-12 * raw ? nearest : Math.ceil(raw));
}
