import { isUnknown, passHatKMean } from '@agent-criteria/statistics';
import type { Estimate } from '../estimate.ts';
import { estimateOf, RATE } from '../estimate-of.ts';
import { percentText, textBeside, writtenPercent } from '../number-words.ts';
import type { CaseOutcome } from '../outcome.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import { endText } from './by-interval.ts';
import type { GateResult, Gates } from './gate.ts';

export function passHatKGate(run: RunOutcomes, { k, rate }: NonNullable<Gates['passHatK']>, level: number): GateResult {
  const name = 'pass_hat_k';
  const ran = run.cases.filter(({ repeats }) => repeats.length > 0);
  const asked = `the gate requires at least ${writtenPercent(rate)}`;
  const short = ran.filter(({ repeats }) => repeats.length < k).length;
  if (short > 0) {
    const which = short === ran.length ? 'no case' : 'not every case';
    return { name, holds: null, text: `pass^${k} is unknown: ${which} ran ${k} times; use --num_runs ${k}` };
  }
  const counts = ran.map(({ repeats }) => ({
    n: repeats.length,
    // What could not be judged counts as failed.
    c: repeats.filter(({ passed }) => passed === true).length,
  }));
  const found = passHatKMean(counts, k, level);
  if (isUnknown(found)) return { name, holds: null, text: `pass^${k} is unknown: ${found.unknown}` };
  const said = `all ${k} repeats pass in ${textBeside(rate, found.mean, RATE)} of cases`;
  if (found.mean < rate - 1e-12) return { name, holds: false, text: `${said}; ${asked}` };
  const low = Math.max(0, found.low);
  // Without spread, nothing says how far other cases may lie.
  if (found.se > 0 && low >= rate - 1e-12)
    return { name, holds: true, text: `${said}, and ${endText('lower', percentText(low), level)}; ${asked}` };
  const all = run.cases.map((one) => everyRepeatPassed(one));
  const exact: Estimate = estimateOf(
    all.map((pass) => ({ group: null, values: [pass ? 1 : 0], open: null })),
    RATE,
    level,
  );
  if (found.se === 0 && !isUnknown(exact.interval) && exact.interval.low >= rate) {
    return {
      name,
      holds: true,
      text: `${said}, and ${endText('lower', percentText(exact.interval.low), level)}; ${asked}`,
    };
  }
  return { name, holds: null, text: `${said}: too few cases to tell; ${asked}` };
}

function everyRepeatPassed({ repeats }: CaseOutcome): boolean {
  return repeats.every(({ passed }) => passed === true);
}
