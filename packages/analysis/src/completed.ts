import type { Range } from '@agent-criteria/core';
import type { CaseValues } from './estimate.ts';

/**
 * Completes a case as if everything that could not be judged were at its worst or best. Missing repeats become repeats, so that they weigh
 * as much as judged ones. @returns `null` if the scale has no such end.
 */
export function completed(
  { group, values, open }: CaseValues,
  as: 'worst' | 'best',
  { min, max, better }: Range,
): CaseValues | null {
  if (open === null) return { group, values, open };
  const end = open[as];
  if (end === null) return null;
  if (open.missing === 0) return { group, values: [end], open: null };
  const limit = (as === 'best') === (better === 'higher') ? max : min;
  return limit === null ? null : { group, values: [...values, ...Array<number>(open.missing).fill(limit)], open: null };
}
