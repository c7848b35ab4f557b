import { type Unknown, unknown } from './unknown.ts';

/**
 * How far apart two answers are: for `nominal`, not at all or fully; for `ordinal`, by the number of answers between
 * them; for `interval`, by their difference.
 */
export type Metric = 'nominal' | 'ordinal' | 'interval';

/**
 * Computes Krippendorff's alpha: the agreement of any number of raters, each of whom may have skipped cases. `units`
 * has one row per case with each rater's answer as a number, or `null` if it is missing; cases with fewer than two
 * answers do not count. At most 1: 1 is perfect agreement, 0 is no better than chance. Unknown if no case has two
 * answers, or if all answers are the same.
 *
 * 1 - observed / expected disagreement (Krippendorff 2011, Computing Krippendorff's alpha-reliability). Low with skewed
 * margins, like kappa. Apart from sorting the answers, takes time linear in their number.
 *
 * @throws RangeError if an answer is neither a finite number nor null, or `metric` is not one of the three.
 */
export function krippendorffAlpha(
  units: readonly (readonly (number | null)[])[],
  metric: Metric = 'nominal',
): number | Unknown {
  if (!['nominal', 'ordinal', 'interval'].includes(metric)) {
    throw new RangeError(`metric is ${metric}, but must be 'nominal', 'ordinal' or 'interval'.`);
  }
  const answered = units.map((row, index) =>
    row.filter((answer, rater): answer is number => {
      if (answer === null || Number.isFinite(answer)) return answer !== null;
      throw new RangeError(
        `units[${index}][${rater}] is ${answer}, but must be a finite number, or null where it is missing.`,
      );
    }),
  );
  const paired = answered.filter((row) => row.length >= 2);
  const all = paired.flat();
  if (all.length === 0) return unknown('no case has two answers');
  if (all.every((answer) => answer === all[0])) return unknown('all answers are the same');

  const disagreement = metric === 'nominal' ? unequalPairs : squaresOfPairs;
  // Ordinal distances are differences of mid-ranks.
  const position = metric === 'ordinal' ? midRanks(all) : (answer: number) => answer;
  let observed = 0;
  for (const row of paired) observed += disagreement(row.map(position)) / (row.length - 1);
  const expected = disagreement(all.map(position)) / (all.length - 1);
  return 1 - observed / expected;
}

/** Counts ordered pairs of different answers. */
function unequalPairs(answers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  let equal = 0;
  for (const count of counts.values()) equal += count * count;
  return answers.length ** 2 - equal;
}

/** Sums the squared differences of all ordered pairs in linear time. */
function squaresOfPairs(answers: readonly number[]): number {
  // Measures from one of the values, so that large numbers do not cancel and equal ones give exactly 0.
  const origin = answers[0]!;
  let [sum, squares] = [0, 0];
  for (const answer of answers) {
    sum += answer - origin;
    squares += (answer - origin) ** 2;
  }
  return 2 * (answers.length * squares - sum * sum);
}

/**
 * Returns a function that gives an answer's mid-rank: the number of lower answers, plus half the number of equal ones.
 */
function midRanks(answers: readonly number[]): (answer: number) => number {
  const ranks = new Map<number, number>();
  const sorted = Float64Array.from(answers).sort();
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    while (to < sorted.length && sorted[to] === sorted[from]) to += 1;
    ranks.set(sorted[from]!, (from + to) / 2);
  }
  return (answer) => ranks.get(answer)!;
}
