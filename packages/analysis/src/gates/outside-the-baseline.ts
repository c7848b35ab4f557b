import { counted } from '@agent-criteria/core/host';
import { pairCases } from '../pair-cases.ts';
import type { RunOutcomes } from '../run-outcomes.ts';

/**
 * Names the failures that a comparison with a baseline says nothing about: those of cases that the baseline lacks, or that ask the agent
 * something else there. `null`: no such case failed.
 */
export function outsideTheBaseline(run: RunOutcomes, baseline: RunOutcomes): string | null {
  const { pairs } = pairCases(baseline.cases, run.cases);
  const paired = new Set(pairs.map(({ candidate }) => candidate));
  const outside = run.cases.filter((one) => !paired.has(one));
  const open = outside.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'informational').length;
  if (open === 0) return null;
  return `not compared: ${counted(outside.length, 'case')} that the baseline lacks or asks otherwise, of which ${open} did not pass`;
}
