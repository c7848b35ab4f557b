import { type CaseName, caseKey } from './case-key.ts';
import type { CaseOutcome } from './outcome.ts';

export interface CasePair {
  readonly base: CaseOutcome;
  readonly candidate: CaseOutcome;
}

export interface Pairing {
  /** In the order of the candidate. */
  readonly pairs: readonly CasePair[];
  readonly onlyBase: readonly CaseName[];
  readonly onlyCandidate: readonly CaseName[];
  /** Cases that are in both runs but give the agent different input, which are left out. */
  readonly askedOtherwise: readonly CaseName[];
  /** Pairs with other differences, such as in a reference or a rubric. */
  readonly changed: readonly CaseName[];
}

/** Pairs the cases of two runs by set id and case id. */
export function pairCases(base: readonly CaseOutcome[], candidate: readonly CaseOutcome[]): Pairing {
  const before = new Map(base.map((one) => [caseKey(one), one]));
  const pairs: CasePair[] = [];
  const onlyCandidate: CaseName[] = [];
  const askedOtherwise: CaseName[] = [];
  for (const one of candidate) {
    const own = before.get(caseKey(one));
    before.delete(caseKey(one));
    if (own === undefined) onlyCandidate.push(nameOf(one));
    else if (own.asked !== one.asked) askedOtherwise.push(nameOf(one));
    else pairs.push({ base: own, candidate: one });
  }
  const changed = pairs.filter((pair) => pair.base.version !== pair.candidate.version);
  return {
    pairs,
    onlyBase: [...before.values()].map(nameOf),
    onlyCandidate,
    askedOtherwise,
    changed: changed.map(({ candidate: one }) => nameOf(one)),
  };
}

function nameOf({ setId, caseId }: CaseName): CaseName {
  return { setId, caseId };
}
