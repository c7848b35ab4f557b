import type { Unknown } from '@agent-criteria/statistics';

/** With fewer labelled cases than this, only the share of matching verdicts gets an interval. */
export const FEWEST_CASES = 20;

export function fewCases(cases: number): Unknown {
  const what = cases === 1 ? '1 labelled case is' : `${cases} labelled cases are`;
  return { unknown: `${what} too few: at least ${FEWEST_CASES} are needed` };
}
