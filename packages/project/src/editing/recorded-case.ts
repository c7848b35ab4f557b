import type { EvalCase } from '@agent-criteria/core';

/** A conversation that took place, as a case that expects it to go the same way. */
export interface RecordedCase {
  readonly evalCase: EvalCase;
  /** Sentences to read before adding the case to an eval set. */
  readonly notes: readonly string[];
}
