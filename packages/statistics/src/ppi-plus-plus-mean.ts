import { covarianceOf, meanOf, varianceOf } from './moments.ts';
import { checkLabelled, type Labelled, normalInterval, type PpiInterval } from './ppi-mean.ts';
import type { Unknown } from './unknown.ts';

export interface PpiPlusPlusInterval extends PpiInterval {
  /** The judge's weight: 0 uses the labels alone, 1 is `ppiMean`. */
  readonly lambda: number;
}

/**
 * Computes `ppiMean` with the judge's weight that makes the interval narrowest. Unknown in the same cases.
 *
 * lambda mean(f_u) + mean(y - lambda f), lambda = cov(y, f) / ((1 + m/N) s^2(f)), clipped to 0 to 1, with the variance
 * over all of the judge's scores (Angelopoulos, Duchi and Zrnic 2023, arXiv 2311.01453). Needs about 100 labels,
 * because the weight is chosen from the data that it is applied to: with 50 labels and 200 cases it covers about 93%,
 * with 60 labels and a rate of 0.95 only 81%. With fewer labels, use `ppiMean`.
 *
 * @throws RangeError as for `ppiMean`.
 */
export function ppiPlusPlusMean(data: Labelled): PpiPlusPlusInterval | Unknown {
  const problem = checkLabelled(data);
  if (problem !== undefined) return problem;
  const { human, judgeLabelled, judgeUnlabelled, level = 0.95 } = data;
  const [m, n] = [human.length, judgeUnlabelled.length];
  const variance = varianceOf([...judgeLabelled, ...judgeUnlabelled]);
  // A judge whose scores do not vary gets no weight.
  const best = variance === 0 ? 0 : covarianceOf(human, judgeLabelled) / ((1 + m / n) * variance);
  const lambda = Math.min(Math.max(best, 0), 1);
  const rest = human.map((label, index) => label - lambda * judgeLabelled[index]!);
  const estimate = lambda * meanOf(judgeUnlabelled) + meanOf(rest);
  const se = Math.sqrt((lambda ** 2 * varianceOf(judgeUnlabelled)) / n + varianceOf(rest) / m);
  return { ...normalInterval(estimate, se, level), lambda };
}
