import { pairCases } from '../pair-cases.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import type { Baseline } from './gate.ts';

/**
 * Counts the cases that a comparison with a baseline leaves out, because the baseline lacks them or gave the agent
 * different input. @returns `null` if all of them passed.
 */
export function outsideTheBaseline(
  run: RunOutcomes,
  baseline: Baseline,
): { readonly cases: number; readonly notPassed: number } | null {
  const { pairs } = pairCases(baseline?.cases ?? [], run.cases);
  const paired = new Set(pairs.map(({ candidate }) => candidate));
  const outside = run.cases.filter((one) => !paired.has(one));
  const notPassed = outside.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'informational').length;
  return notPassed === 0 ? null : { cases: outside.length, notPassed };
}
