import type { Range } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { isUnknown } from '@agent-criteria/statistics';
import { completed, passesOf, scoresOf, scoresTooLarge } from '../case-values.ts';
import { type CaseValues, estimateOf, RATE } from '../estimate.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import { distinctText, writtenText } from '../text/numbers.ts';
import { casesText } from '../text/phrases.ts';
import type { Finding, GateContext } from './gate.ts';

export function passRateGate(run: RunOutcomes, least: number, { level }: GateContext): Finding {
  const cases = run.cases.map(passesOf).filter((one) => one !== null);
  return byInterval({ what: 'the pass rate', cases, range: RATE }, least, level);
}

export function meanGate(
  run: RunOutcomes,
  [criterion, limit]: readonly [string, number],
  { level }: GateContext,
): Finding {
  const found = run.criteria.find((one) => one.name === criterion);
  if (found === undefined) return { holds: null, text: `no criterion of this run is called ${criterion}` };
  const tooLarge = scoresTooLarge(run, found);
  if (tooLarge !== null) return { holds: null, text: tooLarge };
  const cases = run.cases.map((one) => scoresOf(one, criterion, found.range)).filter((one) => one !== null);
  return byInterval({ what: `the mean of ${criterion}`, cases, range: found.range }, limit, level);
}

const COST = { min: 0, max: null, better: 'lower' } as const satisfies Range;

export function costGate(run: RunOutcomes, most: number, { level }: GateContext): Finding {
  const unknown: string[] = [];
  const cases = run.cases.map(({ group, repeats }): CaseValues => {
    const costs = repeats.map(({ cost }) => cost ?? { unknown: 'there are no prices' });
    unknown.push(...costs.flatMap((cost) => (isUnknown(cost) ? [cost.unknown] : [])));
    if (repeats.length === 0) unknown.push('the agent did not run');
    return { group, values: costs.filter((cost) => typeof cost === 'number'), open: null };
  });
  const [why] = unknown;
  if (why !== undefined) {
    const conversations = counted(unknown.length, 'conversation');
    return { holds: null, text: `the cost of ${conversations} is unknown: ${why}` };
  }
  return byInterval({ what: 'the mean cost of a conversation', cases, range: COST }, most, level);
}

interface Measured {
  /** The measured number, as named in the gate's text. */
  readonly what: string;
  readonly cases: readonly CaseValues[];
  readonly range: Range;
}

/** Decides by the worse end of the mean's interval. */
function byInterval({ what, cases, range }: Measured, limit: number, level: number): Finding {
  const open = cases.filter((one) => one.open !== null);
  if (open.some((one) => one.open?.worst === null)) {
    return { holds: null, text: `${what} is unknown: ${counted(open.length, 'case')} could not be judged` };
  }
  const shown = estimateOf(cases, range, level);
  const at = (end: 'worst' | 'best') =>
    estimateOf(
      cases.map((one) => completed(one, end, range)).filter((one) => one !== null),
      range,
      level,
    );
  const found = open.length === 0 ? shown : at('worst');
  const { value, interval } = found;
  if (value === null) return { holds: null, text: `${what} is unknown: nothing was judged` };
  const higher = range.better === 'higher';
  const reaches = (number: number) => (higher ? number >= limit - 1e-12 : number <= limit + 1e-12);
  const scale = range;
  const asked = `the gate ${higher ? 'requires at least' : 'allows at most'} ${writtenText(limit, scale)}`;
  const unjudged = open.length === 0 ? '' : `, ${open.length} of which could not be judged`;
  const counting = `${casesText(found)}${unjudged}${open.length === 0 ? '' : ` and count at ${open.length === 1 ? 'its' : 'their'} worst`}`;
  const repeated = range === RATE && cases.some(({ values }) => values.length > 1) ? 'the repeats of ' : '';
  const result = `${what} is ${distinctText(limit, value, scale)} over ${repeated}${counting}`;
  if (!reaches(value)) {
    // A judge that was down is not evidence against the agent.
    const best = open.length === 0 || open.some((one) => one.open?.best === null) ? null : at('best').value;
    if (open.length === 0 || (best !== null && !reaches(best))) return { holds: false, text: `${result}; ${asked}` };
    const ends = (best === null ? [value] : [value, best]).sort((a, b) => a - b);
    const between = ends.map((one) => distinctText(limit, one, scale)).join(' and ');
    const bounds = best === null ? `at worst ${between}` : `between ${between}`;
    const text = `${what} is ${bounds} over ${repeated}${casesText(found)}${unjudged}: too much is unknown to tell; ${asked}`;
    return { holds: null, text };
  }
  if (isUnknown(interval))
    return {
      holds: null,
      text: `${result}, but its confidence interval is unknown: ${interval.unknown}; ${asked}`,
    };
  const end = higher ? interval.low : interval.high;
  const certain = endText(higher ? 'lower' : 'upper', distinctText(limit, end, scale), level);
  if (reaches(end)) return { holds: true, text: `${result}, and ${certain}; ${asked}` };
  return { holds: null, text: `${result}, but ${certain}: too few ${unitsOf(cases)} to tell; ${asked}` };
}

/** Names the unit that there are too few of: groups if any cases share one, otherwise cases. */
export function unitsOf(cases: readonly { readonly group: string | null }[]): 'cases' | 'groups' {
  const named = cases.flatMap(({ group }) => group ?? []);
  return new Set(named).size < named.length ? 'groups' : 'cases';
}

export function endText(side: 'lower' | 'upper', value: string, level: number): string {
  return `the ${side} end of its ${Math.round(level * 100)}% confidence interval is ${value}`;
}
