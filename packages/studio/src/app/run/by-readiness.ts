import type { CriterionChoice, RunNeeds } from '../../api.ts';

interface Lacking {
  readonly problem: string;
  readonly criteria: readonly CriterionChoice[];
}

/** Criteria that can run here or were on, and the others by what they lack. */
export function byReadiness(
  fits: readonly CriterionChoice[],
  needs: RunNeeds | null,
  begun: ReadonlySet<string>,
): readonly [readonly CriterionChoice[], readonly Lacking[]] {
  const lacking = new Map<string, CriterionChoice[]>();
  const ready = fits.filter((one) => {
    const problem = needs?.criteria[one.name]?.problems.join('\n') ?? '';
    if (problem === '' || begun.has(one.name)) return true;
    lacking.set(problem, [...(lacking.get(problem) ?? []), one]);
    return false;
  });
  return [ready, [...lacking].map(([problem, criteria]) => ({ problem, criteria }))];
}
