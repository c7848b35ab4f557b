import { type Gates, gatesThatCannotHold } from '@agent-criteria/analysis';
import type { Problem } from '@agent-criteria/core';
import { groupOf } from '@agent-criteria/formats';
import type { PreparedSet } from '../plan-sets.ts';

/**
 * Lists the gates that a run of these sets cannot pass, however well it goes, and explains what passing each would
 * take.
 */
export function hopelessGates(
  gates: Gates,
  sets: readonly Pick<PreparedSet, 'plan'>[],
  repeats: number,
): readonly Problem[] {
  const groups = sets.flatMap(({ plan }) => plan.evalSet.evalCases.map(groupOf));
  const criteria = sets.flatMap(({ plan }) =>
    plan.criteria.map(({ name, criterion }) => ({ name, range: criterion.range })),
  );
  // Criterion names come from a config and may contain line breaks.
  return gatesThatCannotHold(gates, { groups, repeats, criteria }).map(({ text }) => {
    return { code: 'USAGE', message: text.replace(/\s+/g, ' ') };
  });
}
