import type { RunCriterion, RunSet } from './run-record.ts';

/** The criteria in a set's config, without those that are measured in every run. */
export function namedCriteria({ criteria }: Pick<RunSet, 'criteria'>): readonly RunCriterion[] {
  return criteria.filter(({ byDefault }) => byDefault !== true);
}
