import type { Verdict } from '@agent-criteria/core/host';
import type { CaseName } from './case-key.ts';
import type { CaseOutcome } from './outcome.ts';
import type { CasePair } from './pair-cases.ts';

/** A case whose verdict changed. Plain JSON. */
export interface FlippedCase extends CaseName {
  /** `lost`: it no longer passes. `gained`: it passes now. `other`: neither. */
  readonly direction: 'lost' | 'gained' | 'other';
  readonly base: FlippedSide;
  readonly candidate: FlippedSide;
}

export interface FlippedSide {
  readonly verdict: Verdict;
  readonly reason?: string | undefined;
  /** The number of repeats that passed, out of those that were judged. */
  readonly passed: number;
  readonly of: number;
  /** The answer from a repeat that fits the verdict, or else from the first; `null` if there is none. */
  readonly answer: string | null;
}

const ORDER = ['lost', 'gained', 'other'] as const;

/** Lists cases whose verdict changed: lost, then gained, then other, each in the order of the run. */
export function flippedCases(pairs: readonly CasePair[]): readonly FlippedCase[] {
  return pairs
    .filter(({ base, candidate }) => base.verdict !== candidate.verdict)
    .map(({ base, candidate }) => ({
      setId: candidate.setId,
      caseId: candidate.caseId,
      direction: directionOf(base.verdict, candidate.verdict),
      base: sideOf(base),
      candidate: sideOf(candidate),
    }))
    .sort((a, b) => ORDER.indexOf(a.direction) - ORDER.indexOf(b.direction));
}

export function directionOf(before: Verdict, after: Verdict): FlippedCase['direction'] {
  if (before === 'passed') return 'lost';
  return after === 'passed' ? 'gained' : 'other';
}

export function sideOf({ verdict, reason, repeats }: CaseOutcome): FlippedSide {
  const judged = repeats.filter(({ passed }) => passed !== null);
  const passes = verdict === 'passed';
  const shown = repeats.find(({ passed }) => passed === passes) ?? repeats[0];
  return {
    verdict,
    ...(reason === undefined ? {} : { reason }),
    passed: judged.filter(({ passed }) => passed).length,
    of: judged.length,
    answer: shown?.answer ?? null,
  };
}
