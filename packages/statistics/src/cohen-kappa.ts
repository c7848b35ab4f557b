import { type Category, checkCategories, indexOfCategory } from './categories.ts';
import { checkSameLength } from './check.ts';
import { type Unknown, unknown } from './unknown.ts';

export interface TwoRaters {
  /** The first rater's answer for each case. */
  readonly a: readonly Category[];
  /** The second rater's answer for each case, in the same order. */
  readonly b: readonly Category[];
  /** All categories, in their order if they have one. */
  readonly categories: readonly Category[];
  /** The weight of a disagreement: equal, by distance, or by squared distance. Default `none`: equal. */
  readonly weights?: 'none' | 'linear' | 'quadratic' | undefined;
}

export interface Kappa {
  /** The share of cases on which they agree, from 0 to 1, without weights. */
  readonly observed: number;
  /** The share expected of raters who answer at random with the same margins, without weights. */
  readonly expected: number;
  /** From -1 to 1: 1 is perfect agreement, 0 is that of chance. */
  readonly kappa: number;
}

/**
 * Computes the agreement of two raters, such as a person and a judge, beyond that of chance. Unknown without cases, and if both
 * gave one and the same answer throughout.
 *
 * 1 - sum w o / sum w e (Cohen 1960; with weights, 1968). With skewed margins it is low although nearly all cases agree: 96%
 * agreement can have a kappa of 0.32 and an AC1 of 0.96. Show raw agreement and `gwetAC1` beside it.
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
  // Whole numbers, so that 0 is exactly 0.
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
