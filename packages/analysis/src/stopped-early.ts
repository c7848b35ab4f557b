import { isUnmade, type RunCase, type RunInfo } from '@agent-criteria/results';

/** The savings of a run that stops cases early. Plain JSON. */
export interface StoppedEarly {
  /** The pass rate required of cases. */
  readonly casePassRate: number;
  /** The maximum number of repeats. */
  readonly most: number;
  readonly cases: number;
  /** The number of cases that stopped early. */
  readonly stopped: number;
  /** The number of repeats that ran, and the maximum allowed. */
  readonly repeats: { readonly ran: number; readonly of: number };
  /**
   * The number of calls to judges, simulated users and other paid services, and an estimate of those that the skipped
   * repeats would have made, based on the repeats of the same case that ran. Answers from a cache are not counted.
   */
  readonly calls: { readonly made: number; readonly saved: number };
}

/** Whether both runs stopped cases by the same rule. Otherwise the same agent would look different. */
export function stopAlike(
  base: { readonly stoppedEarly?: StoppedEarly | undefined },
  candidate: { readonly stoppedEarly?: StoppedEarly | undefined },
): boolean {
  const [before, after] = [base.stoppedEarly, candidate.stoppedEarly];
  return before?.casePassRate === after?.casePassRate && before?.most === after?.most;
}

/** The reason why numbers that depend on passing are not compared if `stopAlike` is false. */
export const STOP_OTHERWISE =
  'the runs did not stop cases early by the same rule (--num_runs auto), which makes cases look better or worse than they are';

/** Collects the savings of a run or a variant. @returns `undefined` if the number of repeats is fixed. */
export function collectStopped({ auto, repeats: most }: Pick<RunInfo, 'auto' | 'repeats'>) {
  if (auto === undefined) return undefined;
  let [cases, stopped, ran, made, saved] = [0, 0, 0, 0, 0];
  return {
    add({ result, calls = [] }: Pick<RunCase, 'result' | 'calls'>): void {
      const own = result.units.length;
      const asked = calls.filter((call) => call.from !== 'cache' && call.requests !== 0 && !isUnmade(call)).length;
      cases += 1;
      ran += own;
      made += asked;
      if (own === 0 || own >= most) return;
      stopped += 1;
      saved += (asked / own) * (most - own);
    },
    result: (): StoppedEarly => ({
      casePassRate: auto.casePassRate,
      most,
      cases,
      stopped,
      repeats: { ran, of: cases * most },
      calls: { made, saved: Math.round(saved) },
    }),
  };
}
