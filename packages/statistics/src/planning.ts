import { checkCount, checkNotNegative, checkPositive, checkProbability, checkShare } from './check.ts';
import { normalQuantile } from './normal.ts';
import { type Unknown, unknown } from './unknown.ts';

// What a comparison can detect, and what it would take. Variances as `varianceComponents` gives them.

interface Test {
  /** How often a difference is found where there is none. Default 0.05. */
  readonly alpha?: number | undefined;
  /** How often a difference of that size is found. Default 0.8. */
  readonly power?: number | undefined;
}

/** Both runs have the same cases. */
export interface PairedVariance extends Test {
  /** The variance, from case to case, of the true difference between the two agents. 0: it is the same for all cases. */
  readonly omega2: number;
  /** The variance between repeats of the same case. */
  readonly within: number;
}

/** The runs have different cases. */
export interface UnpairedVariance extends Test {
  /** The variance between the true means of cases. */
  readonly between: number;
  /** The variance between repeats of the same case. */
  readonly within: number;
}

/** `raw` is what the formula gives; `cases` is rounded up, and at least 1. */
export interface SampleSize {
  readonly raw: number;
  readonly cases: number;
}

/**
 * The smallest difference of means that `cases` cases with `repeats` repeats each can detect when both runs have the same
 * cases. In the unit of the scores. Unknown without cases, and where no variance is given.
 *
 * (z_(1-alpha/2) + z_power) sqrt((omega2 + 2 within / repeats) / cases), after the power formula of Miller 2024 (arXiv 2411.00640).
 * The variances are themselves estimates, so read the result as an order of size.
 *
 * @throws RangeError where a variance is negative, a count is not one, or `alpha` or `power` does not lie between 0 and 1.
 */
export function mdePaired(
  plan: PairedVariance & { readonly repeats: number; readonly cases: number },
): number | Unknown {
  return smallestDifference(pairedVariance(plan, plan.repeats), plan.cases, plan);
}

/**
 * As `mdePaired`, when the two runs have different cases: 2 (between + within / repeats) takes the place of the variance.
 * The difference between cases then counts as noise, so it needs many more of them.
 *
 * @throws RangeError as `mdePaired`.
 */
export function mdeUnpaired(
  plan: UnpairedVariance & { readonly repeats: number; readonly cases: number },
): number | Unknown {
  return smallestDifference(unpairedVariance(plan, plan.repeats), plan.cases, plan);
}

/**
 * How many cases it takes to detect a difference of `delta` when both runs have the same cases. The inverse of `mdePaired`.
 * Unknown where no variance is given.
 *
 * @throws RangeError where `delta` is not above 0; otherwise as `mdePaired`.
 */
export function sampleSizePaired(
  plan: PairedVariance & { readonly repeats: number; readonly delta: number },
): SampleSize | Unknown {
  return casesFor(pairedVariance(plan, plan.repeats), plan.delta, plan);
}

/**
 * How many cases each run needs to detect a difference of `delta` when the two runs have different cases. The inverse of
 * `mdeUnpaired`. Unknown where no variance is given.
 *
 * @throws RangeError where `delta` is not above 0; otherwise as `mdePaired`.
 */
export function sampleSizeUnpaired(
  plan: UnpairedVariance & { readonly repeats: number; readonly delta: number },
): SampleSize | Unknown {
  return casesFor(unpairedVariance(plan, plan.repeats), plan.delta, plan);
}

/**
 * How many repeats of each of `cases` cases it takes to detect a difference of `delta` when both runs have the same cases.
 * Unknown where no number of repeats is enough, because the cases themselves differ too much: add cases. Also unknown where
 * no variance is given.
 *
 * 2 within / (cases delta^2 / (z_(1-alpha/2) + z_power)^2 - omega2): `mdePaired`, solved for the repeats.
 *
 * @throws RangeError where `delta` is not above 0; otherwise as `mdePaired`.
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
 * How many cases it takes to know a pass rate near `p` to within `halfWidth` on either side. `level`: default 0.95. Unknown
 * where `p` is 0 or 1, which have no spread: plan with a rate that is possible.
 *
 * z^2 p (1 - p) / halfWidth^2, the normal approximation, which is too small near 0 and 1. It is for one run per case.
 *
 * @throws RangeError where `p` is not a probability, `halfWidth` is not above 0, or `level` does not lie between 0 and 1.
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

/** z_(1-alpha/2) + z_power */
function quantiles({ alpha = 0.05, power = 0.8 }: Test): number {
  checkShare(alpha, 'alpha');
  checkShare(power, 'power');
  return normalQuantile(power) - normalQuantile(alpha / 2);
}

/** Of the difference of two runs of one case. */
function pairedVariance({ omega2, within }: PairedVariance, repeats: number): number {
  checkNotNegative(omega2, 'omega2');
  checkNotNegative(within, 'within');
  checkCount(repeats, 'repeats', 1);
  return omega2 + (2 * within) / repeats;
}

/** Of the difference of runs of two cases. */
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

/** Rounded up, where a whole number is not made one more by its rounding error. */
function atLeastOne(raw: number): number {
  const nearest = Math.round(raw);
  return Math.max(1, Math.abs(raw - nearest) <= 1e-12 * raw ? nearest : Math.ceil(raw));
}
