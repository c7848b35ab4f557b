import type { Verdict } from '@agent-criteria/core/host';
import type { UnitState } from './journal.ts';

/** Which records of a case are current. */
export interface CaseStatus {
  /** The verdict, or `null` if there is no result, or only one that was not made from the current records. */
  readonly verdict: Verdict | null;
  /** The repeat whose scores completed the case, or `null` if `verdict` is `null`. */
  readonly completedBy: number | null;
  /** The status of each repeat, in order. A finished case that stopped early only has the repeats that it ran. */
  readonly units: readonly UnitStatus[];
}

export interface UnitStatus {
  /** Whether there is an inference for the agent's current input. */
  readonly inferred: boolean;
  /** Whether that inference has been scored. */
  readonly scored: boolean;
}

/**
 * Determines which records of a case are current, both for resuming a run and for reading it. An inference is current
 * if its input hash matches, scores are current if they were made from the current inference, and a result is current
 * if it was made from the current scores of every repeat.
 *
 * @param states The state of each repeat, in order.
 * @param seen The current hash of the agent's input, or `null` if the case is known to be unchanged.
 * @param mayStop Whether a case may stop before its last repeat. If so, it only has the repeats that its result covers.
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
  // A case that stopped too early may have continued since, so the result with the most repeats is the latest.
  const completedBy = lengths.indexOf(Math.max(1, ...lengths));
  const completed = states[completedBy]?.scored?.case;
  if (!completed) return unknown;
  return { verdict: completed.verdict, completedBy, units: units.slice(0, completed.of.length) };
}

/** Determines which records of one repeat are current. */
export function unitStatus(state: UnitState | undefined, seen: string | null): UnitStatus {
  const inferred = state?.inferred ?? null;
  const counts = inferred !== null && (seen === null || inferred.seen === seen);
  return { inferred: counts, scored: counts && state?.scored?.of === inferred.ticket };
}
