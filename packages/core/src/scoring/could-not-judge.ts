import type { Evidence, Score } from '../contracts/score.ts';

/** A score that could not be judged, with its reason. */
export function couldNotJudge(reason: string, evidence: readonly Evidence[] = []): Score {
  return { value: null, missing: 'could-not-judge', reason, ...(evidence.length === 0 ? {} : { evidence }) };
}
