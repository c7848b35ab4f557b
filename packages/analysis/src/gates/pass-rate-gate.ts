import { passesOf } from '../case-values.ts';
import { RATE } from '../estimate-of.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import { byInterval } from './by-interval.ts';
import type { GateResult } from './gate.ts';

export function passRateGate(run: RunOutcomes, least: number, level: number): GateResult {
  const values = run.cases.map(passesOf).filter((one) => one !== null);
  return byInterval('pass_rate', 'the pass rate', values, least, RATE, level);
}
