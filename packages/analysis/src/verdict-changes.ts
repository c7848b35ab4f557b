import type { Verdict } from '@agent-criteria/core/host';
import type { RunCommit } from '@agent-criteria/results';
import { type CaseName, caseKey } from './case-key.ts';

/** The verdict on a case in a run. */
export interface JudgedCase extends CaseName {
  /** Absent if the agent has no variants. */
  readonly variant?: string | undefined;
  /** A hash of the agent's input. */
  readonly asked: string;
  readonly verdict: Verdict;
}

/** A case whose verdict differs between two runs. Plain JSON. */
export interface VerdictChange extends CaseName {
  readonly variant?: string | undefined;
  readonly before: Verdict;
  readonly now: Verdict;
}

/**
 * The cases whose verdicts differ from those of the run before. A list, not a statement about a regression: single
 * verdicts change by chance, too. Plain JSON.
 */
export interface RunChanges {
  /** The id of the run before: the newest earlier one of all cases of the same eval sets, finished and judged. */
  readonly run: string;
  readonly name?: string | undefined;
  readonly commit?: RunCommit | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** In the order of the newer run. */
  readonly changes: readonly VerdictChange[];
}

/**
 * Lists the cases of two runs whose verdicts differ, in the order of the newer one. Leaves out cases that only one run
 * has, and those that give the agent different input.
 */
export function verdictChanges(before: Iterable<JudgedCase>, now: Iterable<JudgedCase>): readonly VerdictChange[] {
  const known = new Map([...before].map((one) => [keyOf(one), one]));
  return [...now].flatMap(({ asked, verdict, ...name }): readonly VerdictChange[] => {
    const earlier = known.get(keyOf(name));
    if (earlier === undefined || earlier.asked !== asked || earlier.verdict === verdict) return [];
    return [{ ...name, before: earlier.verdict, now: verdict }];
  });
}

function keyOf(one: CaseName & { readonly variant?: string | undefined }): string {
  return JSON.stringify([caseKey(one), one.variant]);
}
