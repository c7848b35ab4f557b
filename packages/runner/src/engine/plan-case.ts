import type { Verdict } from '@agent-criteria/core/host';
import { caseStanding, unitStanding } from '../journal/case-standing.ts';
import type { UnitState } from '../journal/journal.ts';
import type { Doubt } from './doubt.ts';

/** What is done again although it is finished: cases that failed, those that are an error or not evaluated, or all. */
export type Rerun = 'failed' | 'errored' | 'all';

/** What is left to do for one repeat of a case. */
export interface UnitPlan {
  /** The inference that is kept is used. */
  readonly isInferred: boolean;
  /** The scores that are kept are used. */
  readonly isScored: boolean;
  /** The ticket of the next inference, and of the next scores. */
  readonly ticket: number;
  readonly scoreTicket: number;
}

export interface CasePlanOptions {
  /** The hash of what the agent sees of the case. */
  readonly seen: string;
  /** `false`: whatever was recorded is scored, errors too. */
  readonly hasAgent: boolean;
  readonly rerun: Rerun | undefined;
  /** What is kept of the case is not believed: its result, or its scores either. Default: it is. */
  readonly doubt?: Doubt['of'] | undefined;
  /** The case may stop before its last repeat. Default `false`. */
  readonly mayStop?: boolean | undefined;
}

/**
 * What is left to do for a case, by repeat; or its verdict, when everything is done. Inferences that ended by error are
 * made again, and what could not be judged is judged again.
 *
 * @param states What the journal has of each repeat, in their order.
 */
export function planCase(
  states: readonly (UnitState | undefined)[],
  { seen, hasAgent, rerun, doubt, mayStop }: CasePlanOptions,
): Verdict | readonly UnitPlan[] {
  const { verdict, units } = caseStanding(states, seen, mayStop);
  const isChosen = rerun === 'all' || (verdict !== null && isRerun(verdict, rerun));
  let isDone = verdict !== null && !isChosen && doubt === undefined;
  const plans = states.map((state, repeat) => {
    const { inferred, scored } = unitStanding(state, seen);
    const isWhole = inferred && state?.inferred?.failed === false && !isChosen;
    const isInferred = inferred && (isWhole || !hasAgent);
    const isScored = isInferred && scored && state?.scored?.unjudged === false && doubt !== 'scores';
    if (repeat < units.length && (!isWhole || !isScored)) isDone = false;
    return { isInferred, isScored, ticket: (state?.highest ?? 0) + 1, scoreTicket: (state?.scored?.ticket ?? 0) + 1 };
  });
  return isDone && verdict !== null ? verdict : plans;
}

function isRerun(verdict: Verdict, rerun: Rerun | undefined): boolean {
  if (rerun === 'failed') return verdict === 'failed';
  // What a criterion could not judge is an error of the judge, or of what the agent left.
  return rerun === 'errored' && (verdict === 'error' || verdict === 'not-evaluated');
}
