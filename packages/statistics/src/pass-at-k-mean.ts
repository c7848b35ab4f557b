import { checkShare } from './check.ts';
import type { MeanInterval } from './interval.ts';
import { checkRuns, passAtK, passHatK } from './pass-at-k.ts';
import { tInterval } from './t-interval.ts';
import { isUnknown, type Unknown, unknown } from './unknown.ts';

/** One case: `c` of its `n` runs passed. */
export interface CaseRuns {
  readonly n: number;
  readonly c: number;
}

/**
 * The mean of pass@k over cases with its t interval, whose ends are not clipped to 0 and 1. `level`: default 0.95. Unknown
 * with fewer than two cases, and where any case has fewer than `k` runs: leaving those cases out would change the question.
 *
 * The t interval of rates is too narrow where nearly all cases pass or fail alike: see `tInterval`.
 *
 * @throws RangeError where a case has no valid counts, `k` is not a count above 0, or `level` does not lie between 0 and 1.
 */
export function passAtKMean(cases: readonly CaseRuns[], k: number, level = 0.95): MeanInterval | Unknown {
  return meanOverCases(passAtK, cases, k, level);
}

/**
 * The mean of pass^k over cases with its t interval, whose ends are not clipped to 0 and 1. `level`: default 0.95. Unknown
 * with fewer than two cases, and where any case has fewer than `k` runs: leaving those cases out would change the question.
 *
 * The t interval of rates is too narrow where nearly all cases pass or fail alike: see `tInterval`.
 *
 * @throws RangeError where a case has no valid counts, `k` is not a count above 0, or `level` does not lie between 0 and 1.
 */
export function passHatKMean(cases: readonly CaseRuns[], k: number, level = 0.95): MeanInterval | Unknown {
  return meanOverCases(passHatK, cases, k, level);
}

function meanOverCases(
  ofCase: typeof passAtK,
  cases: readonly CaseRuns[],
  k: number,
  level: number,
): MeanInterval | Unknown {
  checkShare(level, 'level');
  for (const [index, { n, c }] of cases.entries()) checkRuns(n, c, k, `cases[${index}].`);
  const values: number[] = [];
  for (const [index, { n, c }] of cases.entries()) {
    const value = ofCase(n, c, k);
    if (isUnknown(value)) return unknown(`cases[${index}]: ${value.unknown}`);
    values.push(value);
  }
  const found = tInterval(values, level);
  if (isUnknown(found)) return unknown(cases.length === 0 ? 'there are no cases' : 'one case has no spread');
  const { mean, se, df, low, high } = found;
  return { mean, se, df, low, high };
}
