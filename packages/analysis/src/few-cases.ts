import type { Unknown } from '@agent-criteria/statistics';

/** With fewer labelled cases, only the share of equal verdicts has an interval. */
export const FEWEST_CASES = 20;

export function fewCases(cases: number): Unknown {
  const what = cases === 1 ? '1 labelled case is' : `${cases} labelled cases are`;
  return { unknown: `${what} too few: at least ${FEWEST_CASES} are needed` };
}
