import { CriteriaError, didYouMean } from '@agent-criteria/core';

/** A criterion was named that a run was not judged by. */
export function unknownCriterion(run: string, name: string, known: readonly string[]): CriteriaError {
  const there = didYouMean(name, known) || (known.length === 0 ? '' : `; it has ${known.join(', ')}`);
  return new CriteriaError({ code: 'UNKNOWN_CRITERION', message: `the run ${run} has no criterion "${name}"${there}` });
}
