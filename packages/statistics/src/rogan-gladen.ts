import { checkPart, checkShare } from './check.ts';
import type { Interval } from './interval.ts';
import { normalQuantile } from './normal.ts';
import { type Unknown, unknown } from './unknown.ts';

export interface JudgedAndLabelled {
  /** The number of judged cases that the judge passed. */
  readonly positives: number;
  /** The number of cases that the judge judged. */
  readonly n: number;
  /** The number of labelled cases that both a person and the judge passed. */
  readonly truePositives: number;
  readonly humanPositives: number;
  /** The number of labelled cases that both a person and the judge failed. */
  readonly trueNegatives: number;
  readonly humanNegatives: number;
  /** Default 0.95. */
  readonly level?: number | undefined;
}

export interface RoganGladen extends Interval {
  /** The corrected rate, which may lie outside 0 to 1. */
  readonly raw: number;
  /** The corrected rate, clipped to 0 to 1. */
  readonly estimate: number;
  /** The standard error of the corrected rate, by the delta method. */
  readonly se: number;
}

/**
 * Estimates the true pass rate behind a judge's, from its sensitivity and specificity on labelled cases from a
 * different population. If the labels come from the same population, `ppiMean` (for labels drawn at random) and
 * `squareAndAddInterval` over the judge's verdicts are valid and half as wide. Shares from 0 to 1. Unknown if nothing
 * was judged, no pass or no failure was labelled, or the judge is no better than chance.
 *
 * (p + q0 - 1) / (q0 + q1 - 1) (Rogan and Gladen 1978), with the interval of Lang and Reiczigel 2014 (Preventive
 * Veterinary Medicine 113). Covers 95% and more with 40 to 100 labels, at about twice the width of the labels alone;
 * with 60 labels and a rate of 0.95, in 18% of samples the labels contain no failure, or the interval misses.
 *
 * @throws RangeError if a count is invalid or exceeds its whole, or `level` does not lie between 0 and 1.
 */
export function roganGladen(counts: JudgedAndLabelled): RoganGladen | Unknown {
  const { positives, n, truePositives, humanPositives, trueNegatives, humanNegatives, level = 0.95 } = counts;
  checkPart(positives, n, 'positives', 'n');
  checkPart(truePositives, humanPositives, 'truePositives', 'humanPositives');
  checkPart(trueNegatives, humanNegatives, 'trueNegatives', 'humanNegatives');
  checkShare(level, 'level');
  if (n === 0) return unknown('no case was judged');
  if (humanPositives === 0) return unknown('no pass was labelled, so that the sensitivity of the judge is unknown');
  if (humanNegatives === 0) return unknown('no failure was labelled, so that the specificity of the judge is unknown');

  const judge = accuracyOf(truePositives, humanPositives, trueNegatives, humanNegatives);
  const shrunk = accuracyOf(truePositives + 1, humanPositives + 2, trueNegatives + 1, humanNegatives + 2);
  if (judge.youden <= 0 || shrunk.youden <= 0)
    return unknown('the judge is no better than chance on the labelled cases');

  const p = positives / n;
  const raw = (p + judge.specificity - 1) / judge.youden;
  const se = Math.sqrt((p * (1 - p)) / n + judge.variance(raw)) / judge.youden;

  const z = -normalQuantile((1 - level) / 2);
  const trials = n + z * z;
  const shrunkP = (positives + (z * z) / 2) / trials;
  const centre = (shrunkP + shrunk.specificity - 1) / shrunk.youden;
  const shift = 2 * z * z * (centre * shrunk.ofSensitivity - (1 - centre) * shrunk.ofSpecificity);
  const half = (z * Math.sqrt((shrunkP * (1 - shrunkP)) / trials + shrunk.variance(centre))) / shrunk.youden;
  return { raw, estimate: clip(raw), se, low: clip(centre + shift - half), high: clip(centre + shift + half) };
}

/** Computes a judge's accuracy, and how much its uncertainty adds to the variance of a rate. */
function accuracyOf(truePositives: number, positives: number, trueNegatives: number, negatives: number) {
  const sensitivity = truePositives / positives;
  const specificity = trueNegatives / negatives;
  const ofSensitivity = (sensitivity * (1 - sensitivity)) / positives;
  const ofSpecificity = (specificity * (1 - specificity)) / negatives;
  return {
    specificity,
    // Sensitivity + specificity - 1 (Youden), computed in whole numbers first so that it is exactly 0 for chance.
    youden: (truePositives * negatives + trueNegatives * positives - positives * negatives) / (positives * negatives),
    ofSensitivity,
    ofSpecificity,
    variance: (rate: number) => rate ** 2 * ofSensitivity + (1 - rate) ** 2 * ofSpecificity,
  };
}

function clip(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}
