import type { Verdict } from '@agent-criteria/core/host';

/** Each case runs until it has run often enough, at most `repeats` times: one repeat after the other, several cases at once. */
export interface AutoRepeats {
  /** The pass rate that cases are held to, between 0 and 1. It is kept in the plan of the run, which goes on under the same rule. */
  readonly casePassRate: number;
  /**
   * Whether a case has run often enough, by the verdicts of its repeats so far, each by itself, in their order. It must depend on
   * nothing else: a run that goes on asks again.
   */
  enough(verdicts: readonly Verdict[]): boolean;
}
