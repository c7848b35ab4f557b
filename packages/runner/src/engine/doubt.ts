import type { Problem } from '@agent-criteria/core';

/** Why what is kept of a case is not believed. */
export interface Doubt {
  /** `result`: the scores make another result. `scores`: they are no scores that a criterion can have given. */
  readonly of: 'result' | 'scores';
  readonly problem: Problem;
}
