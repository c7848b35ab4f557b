import type { EvalCase } from '@agent-criteria/core';

/** A conversation that took place, as a case that expects it to go the same way. */
export interface RecordedCase {
  readonly evalCase: EvalCase;
  /** What to know before adding it to an eval set, in whole sentences. */
  readonly notes: readonly string[];
}
