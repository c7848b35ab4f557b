import type { Evidence, Score } from '../contracts/score.ts';

/** Creates a score that could not be judged. */
export function couldNotJudge(reason: string, evidence: readonly Evidence[] = []): Score {
  return { value: null, missing: 'could-not-judge', reason, ...(evidence.length === 0 ? {} : { evidence }) };
}
