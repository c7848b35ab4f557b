import type { Range } from '@agent-criteria/core';
import { type CaseValues, isTooLarge, LARGEST, meanOf, type OpenEnds, RATE } from './estimate.ts';
import type { CriterionFacts } from './instrument.ts';
import type { CaseOutcome } from './outcome.ts';

/** Returns the passes (1) and failures (0) of a case, or `null` if no criterion decides. */
export function passesOf({ group, verdict, repeats }: CaseOutcome): CaseValues | null {
  if (verdict === 'informational') return null;
  const values = repeats.flatMap(({ passed }) => (passed === null ? [] : [passed ? 1 : 0]));
  const missing = repeats.length === 0 ? 1 : repeats.length - values.length;
  return {
    group,
    values,
    open: missing === 0 ? null : openEnds(values, missing, RATE),
  };
}

/** Returns the scores of a case by a criterion, or `null` if the criterion is absent or does not apply. */
export function scoresOf(
  { group, verdict, criteria, repeats }: CaseOutcome,
  name: string,
  range: Range,
): CaseValues | null {
  const found = criteria.find((criterion) => criterion.name === name);
  // A case that never ran has no criteria, but could have had a score.
  if (found === undefined) {
    return verdict === 'error' ? { group, values: [], open: openEnds([], Math.max(1, repeats.length), range) } : null;
  }
  if (found.coverage === null) return null;
  const values = found.scores.filter((score) => score !== null);
  const missing = found.scores.length - values.length;
  if (missing > 0) return { group, values, open: openEnds(values, missing, range) };
  if (found.coverage >= 1) return { group, values, open: null };
  // Every repeat has a score, even if some of its turns or parts do not.
  const [least, most] = [range.min, range.max];
  const mean = meanOf(values);
  const at = (limit: number | null) =>
    limit === null ? null : (found.coverage as number) * mean + (1 - (found.coverage as number)) * limit;
  return { group, values, open: ordered(at(least), at(most), 0, range) };
}

/**
 * Explains in a clause why nothing can be computed from a criterion's scores. Returns `null` if no number is too large.
 */
export function scoresTooLarge(
  { cases }: { readonly cases: readonly CaseOutcome[] },
  { name, range }: Pick<CriterionFacts, 'name' | 'range'>,
): string | null {
  const limit = `and nothing is computed from numbers beyond ${LARGEST}`;
  const end = [range.min, range.max ?? 0].find(isTooLarge);
  if (end !== undefined) return `the scale of ${name} reaches ${end}, ${limit}`;
  for (const { caseId, criteria } of cases) {
    const own = criteria.find((one) => one.name === name);
    const score = own?.scores.find((one) => one !== null && isTooLarge(one));
    if (score !== undefined) return `the score of ${name} in the case ${caseId} is ${score}, ${limit}`;
  }
  return null;
}

function openEnds(values: readonly number[], missing: number, range: Range): OpenEnds {
  const sum = values.reduce((all, value) => all + value, 0);
  const at = (limit: number | null) => (limit === null ? null : (sum + missing * limit) / (values.length + missing));
  return ordered(at(range.min), at(range.max), missing, range);
}

function ordered(least: number | null, most: number | null, missing: number, { better }: Range): OpenEnds {
  return better === 'higher' ? { worst: least, best: most, missing } : { worst: most, best: least, missing };
}

/**
 * Completes a case as if everything that could not be judged were at its worst or best. Missing repeats are filled in,
 * so that they weigh as much as judged ones. @returns `null` if the scale has no such end.
 */
export function completed(
  { group, values, open }: CaseValues,
  as: 'worst' | 'best',
  { min, max, better }: Range,
): CaseValues | null {
  if (open === null) return { group, values, open };
  const end = open[as];
  if (end === null) return null;
  if (open.missing === 0) return { group, values: [end], open: null };
  const limit = (as === 'best') === (better === 'higher') ? max : min;
  return limit === null ? null : { group, values: [...values, ...Array<number>(open.missing).fill(limit)], open: null };
}
