import type { Verdict } from '@agent-criteria/core/host';
import type { UnitState } from './journal.ts';

/** Which of the records of a case count now. */
export interface CaseStatus {
  /** What the case came to; `null`: there is no result, or it is not of what counts now. */
  readonly verdict: Verdict | null;
  /** The repeat whose scores completed the case; `null` where `verdict` is. */
  readonly completedBy: number | null;
  /** In the order of the repeats; of a case that stopped early and is finished, only those that it ran. */
  readonly units: readonly UnitStatus[];
}

export interface UnitStatus {
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
 * @param mayStop Whether a case may stop before its last repeat: then the repeats that its result was made of are all it has.
 */
export function caseStatus(
  states: readonly (UnitState | undefined)[],
  seen: string | null,
  mayStop = false,
): CaseStatus {
  const units = states.map((state) => unitStatus(state, seen));
  const unknown = { verdict: null, completedBy: null, units };
  if (units.length === 0 || (!mayStop && !units.every(({ scored }) => scored))) return unknown;
  const currentOf = (state: UnitState | undefined, at: number) => {
    const of = state?.scored?.case?.of ?? [];
    const isLongEnough = of.length === units.length || (mayStop && of.length > 0 && of.length < units.length);
    const isCurrent = of.every((ticket, repeat) => {
      return units[repeat]?.scored === true && ticket === states[repeat]?.scored?.ticket;
    });
    return isLongEnough && isCurrent && at < of.length ? of.length : 0;
  };
  const lengths = states.map(currentOf);
  // A case that was found to have stopped too early went on: the longest is the last.
  const completedBy = lengths.indexOf(Math.max(1, ...lengths));
  const completed = states[completedBy]?.scored?.case;
  if (!completed) return unknown;
  return { verdict: completed.verdict, completedBy, units: units.slice(0, completed.of.length) };
}

/** Which of the records of one repeat count now. */
export function unitStatus(state: UnitState | undefined, seen: string | null): UnitStatus {
  const inferred = state?.inferred ?? null;
  const counts = inferred !== null && (seen === null || inferred.seen === seen);
  return { inferred: counts, scored: counts && state?.scored?.of === inferred.ticket };
}
