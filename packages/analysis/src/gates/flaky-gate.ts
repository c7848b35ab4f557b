import { counted } from '@agent-criteria/core/host';
import type { CaseOutcome } from '../outcome.ts';
import { repeatAnalysis } from '../repeats.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import { writtenPercent } from '../text/numbers.ts';
import { unjudgedText } from '../text/phrases.ts';
import type { Finding, GateContext } from './gate.ts';

/**
 * Compares the observed share of flaky cases, without an interval, because the gate is about these cases and this
 * number of repeats. The share grows with the number of repeats.
 */
export function flakyGate(run: RunOutcomes, most: number, { level }: GateContext): Finding {
  const repeats = repeatAnalysis(run.cases, level);
  if (repeats === null || repeats.repeatedCases === 0) {
    return {
      holds: null,
      text: 'no case ran more than once, so flaky cases cannot be seen; use --num_runs 3',
    };
  }
  const share = repeats.flaky.length / repeats.repeatedCases;
  const { flaky, repeatedCases } = repeats;
  const result = `${flaky.length} of ${counted(repeatedCases, 'case')} ${flaky.length === 1 ? 'was' : 'were'} flaky in ${repeats.repeats} repeats, and more repeats may find more`;
  const asked = `the gate allows at most ${writtenPercent(most)}`;
  if (share > most + 1e-12) return { holds: false, text: `${result}; ${asked}` };
  const open = run.cases.filter(({ repeats: own }) => couldBeFlaky(own)).length;
  const atMost = (repeats.flaky.length + open) / Math.max(1, run.cases.length);
  if (atMost > most + 1e-12) {
    return { holds: null, text: `${result}, and ${unjudgedText(open)}; ${asked}` };
  }
  return { holds: true, text: `${result}; ${asked}` };
}

/** Whether a case may be flaky, because a repeat could not be judged or there is only one. */
function couldBeFlaky(repeats: CaseOutcome['repeats']): boolean {
  const seen = new Set(repeats.map(({ passed }) => passed));
  return !(seen.has(true) && seen.has(false)) && (repeats.length < 2 || seen.has(null));
}
