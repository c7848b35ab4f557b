import type { EvalCase } from '@agent-criteria/core';

/** Cases of one eval set, among which a filter chooses. */
export interface Candidates {
  readonly setId: string;
  /** `null`: they are of no file. */
  readonly file: string | null;
  readonly cases: readonly EvalCase[];
}
