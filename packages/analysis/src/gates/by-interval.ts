import type { Range } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { isUnknown } from '@agent-criteria/statistics';
import { completed } from '../completed.ts';
import type { CaseValues } from '../estimate.ts';
import { estimateOf } from '../estimate-of.ts';
import { casesText } from '../text/cases.ts';
import { textBeside, writtenText } from '../text/numbers.ts';
import type { GateResult } from './gate.ts';

/** By the end of the interval that is worse. */
export function byInterval(
  name: string,
  what: string,
  cases: readonly CaseValues[],
  limit: number,
  range: Range,
  level: number,
): GateResult {
  const open = cases.filter((one) => one.open !== null);
  if (open.some((one) => one.open?.worst === null)) {
    return { name, holds: null, text: `${what} is unknown: ${counted(open.length, 'case')} could not be judged` };
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
  if (value === null) return { name, holds: null, text: `${what} is unknown: nothing was judged` };
  const higher = range.better === 'higher';
  const reaches = (number: number) => (higher ? number >= limit - 1e-12 : number <= limit + 1e-12);
  const scale = range;
  const asked = `the gate ${higher ? 'requires at least' : 'allows at most'} ${writtenText(limit, scale)}`;
  const unjudged = open.length === 0 ? '' : `, ${open.length} of which could not be judged`;
  const counting = `${casesText(found)}${unjudged}${open.length === 0 ? '' : ` and count at ${open.length === 1 ? 'its' : 'their'} worst`}`;
  const repeated = name === 'pass_rate' && cases.some(({ values }) => values.length > 1) ? 'the repeats of ' : '';
  const said = `${what} is ${textBeside(limit, value, scale)} over ${repeated}${counting}`;
  if (!reaches(value)) {
    // A judge that was down is no evidence against the agent.
    const best = open.length === 0 || open.some((one) => one.open?.best === null) ? null : at('best').value;
    if (open.length === 0 || (best !== null && !reaches(best)))
      return { name, holds: false, text: `${said}; ${asked}` };
    const ends = (best === null ? [value] : [value, best]).sort((a, b) => a - b);
    const between = ends.map((one) => textBeside(limit, one, scale)).join(' and ');
    const bounds = best === null ? `at worst ${between}` : `between ${between}`;
    const text = `${what} is ${bounds} over ${repeated}${casesText(found)}${unjudged}: too much is unknown to tell; ${asked}`;
    return { name, holds: null, text };
  }
  if (isUnknown(interval))
    return {
      name,
      holds: null,
      text: `${said}, but its confidence interval is unknown: ${interval.unknown}; ${asked}`,
    };
  const end = higher ? interval.low : interval.high;
  const certain = endText(higher ? 'lower' : 'upper', textBeside(limit, end, scale), level);
  if (reaches(end)) return { name, holds: true, text: `${said}, and ${certain}; ${asked}` };
  return { name, holds: null, text: `${said}, but ${certain}: too few ${unitsOf(cases)} to tell; ${asked}` };
}

/** Names the unit there is too little of: groups where cases go together. */
export function unitsOf(cases: readonly { readonly group: string | null }[]): 'cases' | 'groups' {
  const named = cases.flatMap(({ group }) => group ?? []);
  return new Set(named).size < named.length ? 'groups' : 'cases';
}

export function endText(side: 'lower' | 'upper', value: string, level: number): string {
  return `the ${side} end of its ${Math.round(level * 100)}% confidence interval is ${value}`;
}
