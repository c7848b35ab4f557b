import type { Criterion } from '../contracts/criterion.ts';
import type { Transcript } from '../contracts/transcript.ts';
import { hasReference } from '../resolve/needs.ts';

export const noneUnreadable: ReadonlyMap<number, string> = new Map();

/**
 * Finds the turns that a criterion cannot judge because the answer was truncated, with the reasons. Empty for criteria
 * that do not read answers; turns to which the criterion does not apply are omitted. List A: cut-off-answer.
 */
export function unreadableTurns(criterion: Criterion, { inference, turns }: Transcript): ReadonlyMap<number, string> {
  const { needs = {}, readsAnswer = needs.reference !== 'tools', scope } = criterion;
  const { cutOff = [] } = inference;
  if (!readsAnswer || cutOff.length === 0) return noneUnreadable;
  const found = cutOff.flatMap(({ turn, reason }): [number, string][] => {
    const { expected, rubrics, isHistory = false } = turns[turn] ?? { expected: null, rubrics: [] };
    if (isHistory) return [];
    const applies =
      (needs.reference === undefined || (expected !== null && hasReference(expected, needs.reference))) &&
      (needs.rubrics === undefined || rubrics.length > 0);
    if (scope === 'turn' && !applies) return [];
    return [[turn, `the agent's answer ${scope === 'turn' ? '' : `in turn ${turn + 1} `}was cut off (${reason})`]];
  });
  return new Map(found);
}
