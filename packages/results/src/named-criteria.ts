import type { RunCriterion, RunSet } from './run-record.ts';

/** Returns the criteria named in a set's config, leaving out those that every run measures. */
export function namedCriteria({ criteria }: Pick<RunSet, 'criteria'>): readonly RunCriterion[] {
  return criteria.filter(({ byDefault }) => byDefault !== true);
}
