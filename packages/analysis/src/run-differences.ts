import type { CriterionFacts } from './instrument.ts';
import type { RunOutcomes } from './run-outcomes.ts';
import { STOP_OTHERWISE, stopAlike } from './stopped-early.ts';

/** Pairs the criteria of both runs, in the order of the candidate. */
export function sharedCriteria(
  base: RunOutcomes,
  candidate: RunOutcomes,
): readonly (readonly [CriterionFacts, CriterionFacts])[] {
  const before = new Map(base.criteria.map((one) => [one.name, one]));
  return candidate.criteria.flatMap((after) => {
    const own = before.get(after.name);
    return own === undefined ? [] : [[own, after] as const];
  });
}

/** Explains why a criterion's scores cannot be compared, or returns `null` if they can. */
export function whyNotCompared(
  before: CriterionFacts,
  after: CriterionFacts,
  base: Pick<RunOutcomes, 'compat' | 'stoppedEarly'>,
  candidate: Pick<RunOutcomes, 'compat' | 'stoppedEarly'>,
): string | null {
  if (base.compat !== candidate.compat) return 'only one of the runs counts as ADK does (compat)';
  if (before.judges.join() !== after.judges.join()) {
    return `its judge was ${before.judges.join(', ') || 'not recorded'}, and is ${after.judges.join(', ') || 'not recorded'}`;
  }
  if (before.options !== after.options) return 'its options differ between the runs';
  const [a, b] = [before.range, after.range];
  if (a.min !== b.min || a.max !== b.max || a.better !== b.better) return 'its scale differs between the runs';
  // Criteria that do not decide, such as latency, hardly depend on when a case stops.
  if ((before.decides || after.decides) && !stopAlike(base, candidate)) return STOP_OTHERWISE;
  return null;
}

/** The reason why pass rates with different rules or modes are not compared. */
export const OTHER_RULE = 'criteria, thresholds or judges differ, so passing does not mean the same';

/** Returns a string that is equal for two runs with the same deciding criteria. Empty if no criterion decides. */
export function passingRule({ criteria }: Pick<RunOutcomes, 'criteria'>): string {
  return criteria
    .filter(({ decides }) => decides)
    .map(({ name, threshold, options, judges }) => JSON.stringify([name, threshold, options, judges]))
    .sort()
    .join();
}

/**
 * Explains why a comparison is biased if the cases of one run were selected by the verdicts of either: cases that
 * failed by chance pass more often when they run again. Returns a sentence without the final full stop, or `null` if
 * none were.
 */
export function selectedByVerdicts(base: RunOutcomes, candidate: RunOutcomes): string | null {
  const ids = [base.id, candidate.id];
  const chosen = (run: RunOutcomes) => run.selectedBy?.some((id) => ids.includes(id)) === true;
  if (!chosen(base) && !chosen(candidate)) return null;
  const which = chosen(candidate) ? 'the new run' : 'the base run';
  return `the cases of ${which} were selected by what failed, and some of those would pass again without any change; run all cases to compare`;
}
