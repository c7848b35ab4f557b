import { pairCases } from '../pair-cases.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import type { Baseline } from './gate.ts';

/**
 * The cases that a comparison with a baseline says nothing about: those that the baseline lacks, or that ask the agent something else there.
 * `null`: all of them passed.
 */
export function outsideTheBaseline(
  run: RunOutcomes,
  baseline: Baseline,
): { readonly cases: number; readonly open: number } | null {
  const { pairs } = pairCases(baseline?.cases ?? [], run.cases);
  const paired = new Set(pairs.map(({ candidate }) => candidate));
  const outside = run.cases.filter((one) => !paired.has(one));
  const open = outside.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'informational').length;
  return open === 0 ? null : { cases: outside.length, open };
}
