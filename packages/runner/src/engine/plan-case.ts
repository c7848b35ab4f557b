import type { Problem } from '@agent-criteria/core';
import type { Verdict } from '@agent-criteria/core/host';
import { caseStatus, unitStatus } from '../journal/case-status.ts';
import type { UnitState } from '../journal/journal.ts';

/** Which finished cases to run again: those that failed, those that ended in an error or were not evaluated, or all. */
export type Rerun = 'failed' | 'errored' | 'all';

/** The work left to do for one repeat of a case. */
export interface UnitPlan {
  /** Whether the stored inference can be used. */
  readonly isInferred: boolean;
  /** Whether the stored scores can be used. */
  readonly isScored: boolean;
  /** The ticket for the next inference. `scoreTicket` is the one for the next scores. */
  readonly ticket: number;
  readonly scoreTicket: number;
}

export interface CasePlanOptions {
  /** The hash of the agent's input. */
  readonly seen: string;
  /** `false` if recorded inferences are scored, including those that ended in an error. */
  readonly hasAgent: boolean;
  readonly rerun: Rerun | undefined;
  /** Where the stored case is inconsistent: only in its result, or in its scores as well. Default: nowhere. */
  readonly mismatch?: Mismatch['in'] | undefined;
  /** Whether the case may stop before its last repeat. Default `false`. */
  readonly mayStop?: boolean | undefined;
}

/**
 * Plans the work left to do for a case, by repeat, or returns its verdict if everything is done. Inferences that ended
 * in an error are repeated, and anything that could not be judged is judged again.
 *
 * @param states The journal's state for each repeat, in order.
 */
export function planCase(
  states: readonly (UnitState | undefined)[],
  { seen, hasAgent, rerun, mismatch, mayStop }: CasePlanOptions,
): Verdict | readonly UnitPlan[] {
  const { verdict, units } = caseStatus(states, seen, mayStop);
  const isChosen = rerun === 'all' || (verdict !== null && isRerun(verdict, rerun));
  let isDone = verdict !== null && !isChosen && mismatch === undefined;
  const plans = states.map((state, repeat) => {
    const { inferred, scored } = unitStatus(state, seen);
    const isWhole = inferred && state?.inferred?.failed === false && !isChosen;
    const isInferred = inferred && (isWhole || !hasAgent);
    const isScored = isInferred && scored && state?.scored?.unjudged === false && mismatch !== 'scores';
    if (repeat < units.length && (!isWhole || !isScored)) isDone = false;
    return { isInferred, isScored, ticket: (state?.highest ?? 0) + 1, scoreTicket: (state?.scored?.ticket ?? 0) + 1 };
  });
  return isDone && verdict !== null ? verdict : plans;
}

function isRerun(verdict: Verdict, rerun: Rerun | undefined): boolean {
  if (rerun === 'failed') return verdict === 'failed';
  // If a criterion could not judge, either the judge or the agent's output is at fault.
  return rerun === 'errored' && (verdict === 'error' || verdict === 'not-evaluated');
}

/** A problem with a stored case: its result does not follow from its scores, or its scores are invalid. */
export interface Mismatch {
  readonly in: 'result' | 'scores';
  readonly problem: Problem;
}
