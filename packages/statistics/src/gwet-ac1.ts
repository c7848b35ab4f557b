import { type Category, checkCategories, indexOfCategory } from './categories.ts';
import { type Unknown, unknown } from './unknown.ts';

export interface AC1 {
  /** The share of pairs of raters who agree, averaged over cases with at least two answers. From 0 to 1. */
  readonly observed: number;
  /** The agreement expected by chance. */
  readonly expected: number;
  /** At most 1: 1 is perfect agreement, 0 is no better than chance. */
  readonly ac1: number;
}

/**
 * Computes Gwet's AC1: agreement beyond chance that does not collapse when nearly all answers are the same. `ratings`
 * has one row per case with each rater's answer, or `null` if it is missing. Unknown with fewer than two categories, or
 * if no case has two answers.
 *
 * (observed - expected) / (1 - expected), where expected = sum pi (1 - pi) / (q - 1) for q categories with mean shares
 * pi (Gwet 2008, British Journal of Mathematical and Statistical Psychology 61). For 96% agreement with skewed margins
 * it is 0.96, while kappa is 0.32. It depends on how many categories are declared.
 *
 * @throws RangeError if an answer is not among the categories.
 */
export function gwetAC1(
  ratings: readonly (readonly (Category | null)[])[],
  categories: readonly Category[],
): AC1 | Unknown {
  checkCategories(categories);
  const placeOf = indexOfCategory(categories);
  const shares = new Array<number>(categories.length).fill(0);
  let [rated, paired, agreement] = [0, 0, 0];
  for (const [index, row] of ratings.entries()) {
    const counts = new Map<number, number>();
    let raters = 0;
    for (const [rater, answer] of row.entries()) {
      if (answer === null) continue;
      const place = placeOf(answer, `ratings[${index}][${rater}]`);
      counts.set(place, (counts.get(place) ?? 0) + 1);
      raters += 1;
    }
    if (raters === 0) continue;
    rated += 1;
    for (const [place, count] of counts) shares[place]! += count / raters;
    if (raters === 1) continue;
    paired += 1;
    let pairs = 0;
    for (const count of counts.values()) pairs += count * (count - 1);
    agreement += pairs / (raters * (raters - 1));
  }
  if (categories.length < 2) return unknown('agreement needs at least two categories');
  if (paired === 0) return unknown('no case has two answers');

  const observed = agreement / paired;
  const expected =
    shares.reduce((sum, share) => sum + (share / rated) * (1 - share / rated), 0) / (categories.length - 1);
  return { observed, expected, ac1: (observed - expected) / (1 - expected) };
}
