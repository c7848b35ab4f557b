import type { CriterionFacts } from './instrument.ts';
import type { CaseOutcome } from './outcome.ts';

/** The largest number to compute with: sums of squares of larger numbers would overflow. */
const LARGEST = 1e100;

/**
 * The reason why nothing can be computed from the scores of a criterion, as a clause that names the first case; `null` if none is too
 * large.
 */
export function scoresTooLarge(
  { cases }: { readonly cases: readonly CaseOutcome[] },
  { name, range }: Pick<CriterionFacts, 'name' | 'range'>,
): string | null {
  const end = [range.min, range.max ?? 0].find(isTooLarge);
  if (end !== undefined) return `the scale of ${name} reaches ${end}, ${LIMIT}`;
  for (const { caseId, criteria } of cases) {
    const own = criteria.find((one) => one.name === name);
    const score = own?.scores.find((one) => one !== null && isTooLarge(one));
    if (score !== undefined) return `the score of ${name} in the case ${caseId} is ${score}, ${LIMIT}`;
  }
  return null;
}

const LIMIT = `and nothing is computed from numbers beyond ${LARGEST}`;

export function isTooLarge(value: number): boolean {
  return !(Math.abs(value) <= LARGEST);
}
