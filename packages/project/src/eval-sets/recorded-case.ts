import type { EvalCase } from '@agent-criteria/core';

/** A conversation that took place, as a case that expects it to go the same way. */
export interface RecordedCase {
  readonly evalCase: EvalCase;
  /** What whoever adds it to an eval set should know, in whole sentences. */
  readonly notes: readonly string[];
}
