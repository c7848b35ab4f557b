import { counted } from '@agent-criteria/core/host';
import { isUnknown } from '@agent-criteria/statistics';
import { scoresOf } from '../case-values.ts';
import { groupsOf, meanOf } from '../estimate-of.ts';
import { quantileInterval } from '../quantile-interval.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import { percentText, textBeside, writtenText } from '../text/numbers.ts';
import { scoresTooLarge } from '../too-large.ts';
import { endText, unitsOf } from './by-interval.ts';
import type { GateResult, Gates } from './gate.ts';

export function quantileGate(
  run: RunOutcomes,
  criterion: string,
  { q, limit }: NonNullable<Gates['quantiles']>[string],
  level: number,
): GateResult {
  const name = `quantiles.${criterion}`;
  const range = run.criteria.find((one) => one.name === criterion)?.range;
  if (range === undefined) return { name, holds: null, text: `no criterion of this run is called ${criterion}` };
  const tooLarge = scoresTooLarge(run, { name: criterion, range });
  if (tooLarge !== null) return { name, holds: null, text: tooLarge };
  const cases = run.cases.map((one) => scoresOf(one, criterion, range)).filter((one) => one !== null);
  const open = cases.filter((one) => one.open !== null).length;
  if (open > 0) return { name, holds: null, text: `${criterion} is unknown for ${counted(open, 'case')}` };
  const found = quantileInterval(
    cases.map(({ values }) => meanOf(values)),
    q,
    { groups: groupsOf(cases), level },
  );
  const lower = range.better === 'lower';
  const asked = `the gate ${lower ? 'allows at most' : 'requires at least'} ${writtenText(limit, range)}`;
  if (isUnknown(found))
    return {
      name,
      holds: null,
      text: `the ${percentText(q)} quantile of ${criterion} is unknown: ${found.unknown}; ${asked}`,
    };
  const said = `the ${percentText(q)} quantile of ${criterion} is ${textBeside(limit, found.value, range)}`;
  const reaches = (value: number) => (lower ? value <= limit + 1e-12 : value >= limit - 1e-12);
  if (!reaches(found.value)) return { name, holds: false, text: `${said}; ${asked}` };
  const end = lower ? found.high : found.low;
  const certain = endText(lower ? 'upper' : 'lower', textBeside(limit, end, range), level);
  if (reaches(end)) return { name, holds: true, text: `${said}, and ${certain}; ${asked}` };
  return { name, holds: null, text: `${said}, but ${certain}: too few ${unitsOf(cases)} to tell; ${asked}` };
}
