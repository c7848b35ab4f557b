import { counted } from '@agent-criteria/core/host';
import { isUnknown } from '@agent-criteria/statistics';
import { scoresOf, scoresTooLarge } from '../case-values.ts';
import { groupsOf, meanOf } from '../estimate.ts';
import { quantileInterval } from '../quantile-interval.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import { distinctText, percentText, writtenText } from '../text/numbers.ts';
import type { Finding, GateContext, Gates } from './gate.ts';
import { endText, unitsOf } from './mean-gates.ts';

export function quantileGate(
  run: RunOutcomes,
  [criterion, { q, limit }]: readonly [string, NonNullable<Gates['quantiles']>[string]],
  { level }: GateContext,
): Finding {
  const range = run.criteria.find((one) => one.name === criterion)?.range;
  if (range === undefined) return { holds: null, text: `no criterion of this run is called ${criterion}` };
  const tooLarge = scoresTooLarge(run, { name: criterion, range });
  if (tooLarge !== null) return { holds: null, text: tooLarge };
  const cases = run.cases.map((one) => scoresOf(one, criterion, range)).filter((one) => one !== null);
  const open = cases.filter((one) => one.open !== null).length;
  if (open > 0) return { holds: null, text: `${criterion} is unknown for ${counted(open, 'case')}` };
  const found = quantileInterval(
    cases.map(({ values }) => meanOf(values)),
    q,
    { groups: groupsOf(cases), level },
  );
  const lower = range.better === 'lower';
  const asked = `the gate ${lower ? 'allows at most' : 'requires at least'} ${writtenText(limit, range)}`;
  if (isUnknown(found))
    return {
      holds: null,
      text: `the ${percentText(q)} quantile of ${criterion} is unknown: ${found.unknown}; ${asked}`,
    };
  const result = `the ${percentText(q)} quantile of ${criterion} is ${distinctText(limit, found.value, range)}`;
  const reaches = (value: number) => (lower ? value <= limit + 1e-12 : value >= limit - 1e-12);
  if (!reaches(found.value)) return { holds: false, text: `${result}; ${asked}` };
  const end = lower ? found.high : found.low;
  const certain = endText(lower ? 'upper' : 'lower', distinctText(limit, end, range), level);
  if (reaches(end)) return { holds: true, text: `${result}, and ${certain}; ${asked}` };
  return { holds: null, text: `${result}, but ${certain}: too few ${unitsOf(cases)} to tell; ${asked}` };
}
