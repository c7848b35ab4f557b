import type { Verdict } from '@agent-criteria/core/host';
import type { UnitState } from './journal.ts';

/** Which of the records of a case count now. */
export interface CaseStanding {
  /** What the case came to; `null`: there is no result, or it is not of what counts now. */
  readonly verdict: Verdict | null;
  /** The repeat whose scores completed the case; `null` where `verdict` is. */
  readonly completedBy: number | null;
  /** In the order of the repeats. */
  readonly units: readonly UnitStanding[];
}

export interface UnitStanding {
  /** The inference is of what the agent sees of the case now. */
  readonly inferred: boolean;
  /** The scores are of that inference. */
  readonly scored: boolean;
}

/**
 * Is this result current? The one answer, for whoever continues a run and whoever reads it. An inference counts when it is
 * of what the agent sees now, scores when they are of the inference that counts, and a result when it was made of the
 * scores that count, of every repeat.
 *
 * @param states What there is of each repeat, in their order.
 * @param seen The hash of what the agent sees of the case; `null`: the case is known to be the one that ran.
 */
export function caseStanding(states: readonly (UnitState | undefined)[], seen: string | null): CaseStanding {
  const units = states.map((state) => {
    const inferred = state?.inferred ?? null;
    const counts = inferred !== null && (seen === null || inferred.seen === seen);
    return { inferred: counts, scored: counts && state?.scored?.of === inferred.ticket };
  });
  const unknown = { verdict: null, completedBy: null, units };
  if (units.length === 0 || !units.every(({ scored }) => scored)) return unknown;
  const tickets = states.map((state) => state?.scored?.ticket);
  const completedBy = states.findIndex((state) => {
    const of = state?.scored?.case?.of;
    return of?.length === tickets.length && of.every((ticket, repeat) => ticket === tickets[repeat]);
  });
  const verdict = states[completedBy]?.scored?.case?.verdict;
  return verdict === undefined ? unknown : { verdict, completedBy, units };
}
