import type { Summary } from '@agent-criteria/core/host';
import { type GateRecord, type OutcomeRecord, outcomeOf } from './outcome-record.ts';

/** The outcome of a run, as far as it is known. Plain JSON. */
export type KnownOutcome =
  | ({ readonly state: 'recorded' } & OutcomeRecord)
  /** The run is not finished. */
  | { readonly state: 'unfinished' }
  /** The run was written by an older version, which recorded no outcome. */
  | { readonly state: 'not-recorded' }
  /** The run has finished, but its outcome was not recorded. Lists the gates that should have been checked. */
  | { readonly state: 'missing'; readonly gates: readonly Pick<GateRecord, 'name' | 'variant'>[] }
  /** The record contradicts the scores or itself, so one of them was changed. */
  | { readonly state: 'changed'; readonly problem: string };

/**
 * Returns the reason why a recorded outcome cannot be trusted, or `null` if it can.
 *
 * @param summary The summary of the cases according to the run's current scores.
 */
export function contradictionIn(outcome: OutcomeRecord, summary: Summary): string | null {
  const verdicts = Object.keys({ ...outcome.summary.verdicts, ...summary.verdicts });
  const counts = ({ verdicts: of }: Summary) => verdicts.map((name) => (of as Record<string, number>)[name]).join();
  if (counts(outcome.summary) !== counts(summary) || outcome.summary.total !== summary.total) {
    return 'the recorded outcome has other verdicts than the scores of this run';
  }
  const derived = outcomeOf({ ...outcome, summary, decide: outcome.decided });
  const follows = derived.exitCode === outcome.exitCode && derived.decided === outcome.decided;
  return follows ? null : 'the recorded exit code does not follow from the recorded cases and gates';
}
