import type { Summary } from '@agent-criteria/core/host';
import { type GateRecord, type OutcomeRecord, outcomeOf } from './outcome-record.ts';

/** What is known of the outcome of a run that was read. Plain JSON. */
export type KnownOutcome =
  | ({ readonly state: 'recorded' } & OutcomeRecord)
  /** It has not come to its end. */
  | { readonly state: 'unfinished' }
  /** It was written by a version that recorded no gates. */
  | { readonly state: 'not-recorded' }
  /** It ended, or went on, and its outcome was not recorded; with the gates that it was to be held to. */
  | { readonly state: 'missing'; readonly gates: readonly Pick<GateRecord, 'name' | 'variant'>[] }
  /** What is recorded contradicts the scores, or itself: somebody has changed one of them. */
  | { readonly state: 'changed'; readonly problem: string };

/**
 * Why a recorded outcome is not believed; `null`: it is.
 *
 * @param summary Of the cases, by the scores that the run has now.
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
