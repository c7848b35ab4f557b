import type { RunOutcomes } from './run-outcomes.ts';

/**
 * The reason why a comparison is biased because the cases of one run were selected by their verdicts: cases that failed by chance pass more
 * often when they run again. A sentence without its full stop; `null` if no cases were selected like that.
 */
export function selectedByVerdicts(base: RunOutcomes, candidate: RunOutcomes): string | null {
  const ids = [base.id, candidate.id];
  const chosen = (run: RunOutcomes) => run.selectedBy?.some((id) => ids.includes(id)) === true;
  if (!chosen(base) && !chosen(candidate)) return null;
  const which = chosen(candidate) ? 'the new run' : 'the base run';
  return `the cases of ${which} were selected by what failed, and some of those would pass again without any change; run all cases to compare`;
}
