import { isUnknown } from '@agent-criteria/statistics';
import { RATE } from '../estimate.ts';
import { passesOfK } from '../passes-of-k.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import { distinctText, writtenPercent } from '../text/numbers.ts';
import type { Finding, GateContext, Gates } from './gate.ts';
import { endText, unitsOf } from './mean-gates.ts';

export function passHatKGate(
  run: RunOutcomes,
  { k, rate }: NonNullable<Gates['passHatK']>,
  { level }: GateContext,
): Finding {
  const ran = run.cases.filter(({ repeats }) => repeats.length > 0);
  const asked = `the gate requires at least ${writtenPercent(rate)}`;
  const short = ran.filter(({ repeats }) => repeats.length < k).length;
  if (short > 0) {
    const which = short === ran.length ? 'no case' : 'not every case';
    return { holds: null, text: `pass^${k} is unknown: ${which} ran ${k} times; use --num_runs ${k}` };
  }
  // Repeats that could not be judged count as failed.
  const counts = ran.map(({ group, repeats }) => ({
    group,
    n: repeats.length,
    c: repeats.filter(({ passed }) => passed === true).length,
  }));
  const found = passesOfK(counts, k, level).at(-1)?.all ?? { unknown: 'there are no cases' };
  if (isUnknown(found)) return { holds: null, text: `pass^${k} is unknown: ${found.unknown}` };
  const result = `all ${k} repeats pass in ${distinctText(rate, found.mean, RATE)} of cases`;
  if (found.mean < rate - 1e-12) return { holds: false, text: `${result}; ${asked}` };
  const certain = endText('lower', distinctText(rate, found.low, RATE), level);
  if (found.low >= rate - 1e-12) return { holds: true, text: `${result}, and ${certain}; ${asked}` };
  return { holds: null, text: `${result}, but ${certain}: too few ${unitsOf(counts)} to tell; ${asked}` };
}
