import { scoresOf } from '../case-values.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import { scoresTooLarge } from '../too-large.ts';
import { byInterval } from './by-interval.ts';
import type { GateResult } from './gate.ts';

export function meanGate(run: RunOutcomes, criterion: string, limit: number, level: number): GateResult {
  const name = `means.${criterion}`;
  const found = run.criteria.find((one) => one.name === criterion);
  if (found === undefined) return { name, holds: null, text: `no criterion of this run is called ${criterion}` };
  const tooLarge = scoresTooLarge(run, found);
  if (tooLarge !== null) return { name, holds: null, text: tooLarge };
  const values = run.cases.map((one) => scoresOf(one, criterion, found.range)).filter((one) => one !== null);
  return byInterval(name, `the mean of ${criterion}`, values, limit, found.range, level);
}
