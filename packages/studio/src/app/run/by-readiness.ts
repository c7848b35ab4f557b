import type { CriterionChoice, RunNeeds } from '../../api.ts';

interface Lacking {
  readonly problem: string;
  readonly criteria: readonly CriterionChoice[];
}

/** Splits criteria into runnable ones and blocked ones, grouped by what is missing. Criteria that were on at first count as runnable. */
export function byReadiness(
  fits: readonly CriterionChoice[],
  needs: RunNeeds | null,
  initial: ReadonlySet<string>,
): readonly [readonly CriterionChoice[], readonly Lacking[]] {
  const lacking = new Map<string, CriterionChoice[]>();
  const ready = fits.filter((one) => {
    const problem = needs?.criteria[one.name]?.problems.join('\n') ?? '';
    if (problem === '' || initial.has(one.name)) return true;
    lacking.set(problem, [...(lacking.get(problem) ?? []), one]);
    return false;
  });
  return [ready, [...lacking].map(([problem, criteria]) => ({ problem, criteria }))];
}
