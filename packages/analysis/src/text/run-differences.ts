import { counted } from '@agent-criteria/core/host';
import type { Pairing } from '../pair-cases.ts';
import { sharedCriteria } from '../run-differences.ts';
import type { RunOutcomes } from '../run-outcomes.ts';

/** A difference between two runs other than the agent's behaviour. Plain JSON. */
export interface RunDifference {
  readonly about: 'agent' | 'threshold' | 'case' | 'package' | 'mode';
  /** A sentence without the final full stop. */
  readonly text: string;
}

/** Finds differences that a comparison must mention: agent, thresholds, packages, mode, cases. */
export function runDifferences(base: RunOutcomes, candidate: RunOutcomes, pairing: Pairing): readonly RunDifference[] {
  const found: RunDifference[] = [];
  if (base.agent !== candidate.agent) {
    found.push({ about: 'agent', text: `the agents have different names: ${base.agent} and ${candidate.agent}` });
  }
  for (const [before, after] of sharedCriteria(base, candidate)) {
    if (before.threshold !== after.threshold) {
      const text = `the threshold of ${after.name} was ${before.threshold ?? 'none'} and is ${after.threshold ?? 'none'}`;
      found.push({ about: 'threshold', text });
    }
    if (before.origin !== after.origin) {
      found.push({ about: 'package', text: `${after.name} came from ${before.origin}, and now from ${after.origin}` });
    }
  }
  if (base.compat !== candidate.compat) {
    found.push({ about: 'mode', text: 'only one of the runs counts as ADK does (compat)' });
  }
  const { changed, askedOtherwise } = pairing;
  if (askedOtherwise.length > 0) {
    const text = `${counted(askedOtherwise.length, 'case')} ${askedOtherwise.length === 1 ? 'gives' : 'give'} the agent different input now, and ${askedOtherwise.length === 1 ? 'is' : 'are'} left out`;
    found.push({ about: 'case', text });
  }
  if (changed.length > 0) {
    const text = `${counted(changed.length, 'case')} changed since the base run: in what is expected, or in how it is judged`;
    found.push({ about: 'case', text });
  }
  return found;
}
