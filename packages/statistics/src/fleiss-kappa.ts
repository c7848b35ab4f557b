import { checkCount } from './check.ts';
import type { Kappa } from './cohen-kappa.ts';
import { type Unknown, unknown } from './unknown.ts';

/**
 * Computes the agreement of any number of raters beyond chance. `counts` has one row per case, with the number of
 * raters who chose each category. The raters need not be the same people, but each case must have the same number of
 * them. Unknown without cases, with one rater, or if all answers are the same.
 *
 * (observed - expected) / (1 - expected), Fleiss 1971. Low with skewed margins, like `cohenKappa`.
 *
 * @throws RangeError if a count is invalid, or cases differ in their number of raters or categories.
 */
export function fleissKappa(counts: readonly (readonly number[])[]): Kappa | Unknown {
  const raters = counts[0]?.reduce((sum, count) => sum + count, 0) ?? 0;
  const categories = counts[0]?.length ?? 0;
  for (const [index, row] of counts.entries()) {
    for (const [category, count] of row.entries()) checkCount(count, `counts[${index}][${category}]`);
    const found = row.reduce((sum, count) => sum + count, 0);
    if (row.length !== categories || found !== raters) {
      throw new RangeError(
        `counts[${index}] has ${row.length} categories and ${found} raters, but counts[0] has ${categories} and ${raters}. ` +
          'For cases with different numbers of raters, use krippendorffAlpha.',
      );
    }
  }
  const n = counts.length;
  if (n === 0) return unknown('there are no cases');
  if (raters < 2) return unknown('agreement needs at least two raters');

  let agreeingPairs = 0;
  const totals = new Array<number>(categories).fill(0);
  for (const row of counts) {
    for (const [category, count] of row.entries()) {
      agreeingPairs += count * (count - 1);
      totals[category]! += count;
    }
  }
  const answers = n * raters;
  if (totals.includes(answers)) return unknown('all answers are the same');
  const observed = agreeingPairs / (answers * (raters - 1));
  const expected = totals.reduce((sum, total) => sum + (total / answers) ** 2, 0);
  return { observed, expected, kappa: (observed - expected) / (1 - expected) };
}
