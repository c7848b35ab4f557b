import { type Category, checkCategories, indexOfCategory } from './categories.ts';
import { checkSameLength } from './check.ts';
import { type Unknown, unknown } from './unknown.ts';

export interface TwoRaters {
  /** The first rater's answer for each case. */
  readonly a: readonly Category[];
  /** The second rater's answer for each case, in the same order. */
  readonly b: readonly Category[];
  /** All categories, in order if they are ordered. */
  readonly categories: readonly Category[];
  /** How disagreements are weighted: equally, by distance, or by squared distance. Default `none`: equally. */
  readonly weights?: 'none' | 'linear' | 'quadratic' | undefined;
}

export interface Kappa {
  /** The unweighted share of cases on which they agree, from 0 to 1. */
  readonly observed: number;
  /** The unweighted share expected if raters answer at random with the same margins. */
  readonly expected: number;
  /** From -1 to 1: 1 is perfect agreement, 0 is no better than chance. */
  readonly kappa: number;
}

/**
 * Computes the agreement of two raters, such as a person and a judge, beyond chance. Unknown without cases, or if both
 * gave the same single answer throughout.
 *
 * 1 - sum w o / sum w e (Cohen 1960; with weights, 1968). With skewed margins it is low even if nearly all cases agree:
 * 96% agreement can go with a kappa of 0.32 and an AC1 of 0.96. Report raw agreement and `gwetAC1` alongside it.
 *
 * @throws RangeError if the lists differ in length, or an answer is not among the categories.
 */
export function cohenKappa({ a, b, categories, weights = 'none' }: TwoRaters): Kappa | Unknown {
  checkCategories(categories);
  checkSameLength(a, b, 'a', 'b');
  if (!['none', 'linear', 'quadratic'].includes(weights)) {
    throw new RangeError(`weights is ${weights}, but must be 'none', 'linear' or 'quadratic'.`);
  }
  const places = indexOfCategory(categories);
  const as = a.map((answer, index) => places(answer, `a[${index}]`));
  const bs = b.map((answer, index) => places(answer, `b[${index}]`));
  const n = a.length;
  if (n === 0) return unknown('there are no cases');

  const weight = (one: number, other: number) => {
    if (weights === 'none') return one === other ? 0 : 1;
    return weights === 'linear' ? Math.abs(one - other) : (one - other) ** 2;
  };
  const marginA = counts(as, categories.length);
  const marginB = counts(bs, categories.length);
  let [agreed, disagreement] = [0, 0];
  for (const [index, place] of as.entries()) {
    if (place === bs[index]) agreed += 1;
    disagreement += weight(place, bs[index]!);
  }
  // Uses whole numbers, so that 0 is exactly 0.
  let [byChance, disagreementByChance] = [0, 0];
  for (const [one, countA] of marginA.entries()) {
    byChance += countA * marginB[one]!;
    for (const [other, countB] of marginB.entries()) disagreementByChance += weight(one, other) * countA * countB;
  }
  if (disagreementByChance === 0) return unknown('both raters gave one and the same answer throughout');
  return {
    observed: agreed / n,
    expected: byChance / n / n,
    kappa: 1 - (disagreement * n) / disagreementByChance,
  };
}

function counts(places: readonly number[], size: number): number[] {
  const found = new Array<number>(size).fill(0);
  for (const place of places) found[place]! += 1;
  return found;
}
