import { isUnmade, type RunCase, type RunInfo } from '@agent-criteria/results';

/** What a run saved whose cases stop once they have run often enough. Plain JSON. */
export interface StoppedEarly {
  /** The pass rate that cases were held to. */
  readonly casePassRate: number;
  /** How often a case could run. */
  readonly most: number;
  readonly cases: number;
  /** How many of them stopped before that. */
  readonly stopped: number;
  /** How many repeats ran, and how many there could have been. */
  readonly repeats: { readonly ran: number; readonly of: number };
  /**
   * How many calls to judges, simulated users and other paid services were made, and about how many more the other repeats would
   * have taken: as many as those of the same case that ran. Answers from a cache are not counted.
   */
  readonly calls: { readonly made: number; readonly saved: number };
}

/** Whether the same rule decided in both runs how often cases run: else the same agent looks different in them. */
export function stopAlike(
  base: { readonly stoppedEarly?: StoppedEarly | undefined },
  candidate: { readonly stoppedEarly?: StoppedEarly | undefined },
): boolean {
  const [before, after] = [base.stoppedEarly, candidate.stoppedEarly];
  return before?.casePassRate === after?.casePassRate && before?.most === after?.most;
}

/** Why numbers that depend on passing are not compared where `stopAlike` is false. */
export const STOP_OTHERWISE =
  'the runs did not stop cases early by the same rule (--num_runs auto), which makes cases look better or worse than they are';

/** Takes every case of a run, or of one of its variants, once. `undefined`: all cases of the run have as many repeats. */
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
