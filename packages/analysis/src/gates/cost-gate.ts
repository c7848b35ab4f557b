import type { Range } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { isUnknown } from '@agent-criteria/statistics';
import type { CaseValues } from '../estimate.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import { byInterval } from './by-interval.ts';
import type { GateResult } from './gate.ts';

/** The scale of costs. */
const COST = { min: 0, max: null, better: 'lower' } as const satisfies Range;

export function costGate(run: RunOutcomes, most: number, level: number): GateResult {
  const name = 'cost';
  const unknown: string[] = [];
  const cases = run.cases.map(({ group, repeats }): CaseValues => {
    const costs = repeats.map(({ cost }) => cost ?? { unknown: 'there are no prices' });
    unknown.push(...costs.flatMap((cost) => (isUnknown(cost) ? [cost.unknown] : [])));
    if (repeats.length === 0) unknown.push('the agent did not run');
    return { group, values: costs.filter((cost) => typeof cost === 'number'), open: null };
  });
  const [why] = unknown;
  if (why !== undefined) {
    const conversations = counted(unknown.length, 'conversation');
    return { name, holds: null, text: `the cost of ${conversations} is unknown: ${why}` };
  }
  return byInterval(name, 'the mean cost of a conversation', cases, most, COST, level);
}
