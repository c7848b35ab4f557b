import { checkCount, checkPart, checkShare } from './check.ts';
import type { MeanInterval } from './interval.ts';
import { tInterval } from './t-interval.ts';
import { isUnknown, type Unknown, unknown } from './unknown.ts';

/**
 * Computes pass@k for one case: the probability that at least one of `k` runs passes, given that `c` of `n` runs did.
 * From 0 to 1. Unknown if `k` is above `n`, because it is not extrapolated beyond the runs that were made.
 *
 * 1 - C(n - c, k) / C(n, k), which is unbiased (Chen et al. 2021, arXiv 2107.03374, section 2.1).
 *
 * @throws RangeError if `n`, `c` or `k` is not a count, `c` is above `n`, or `k` is 0.
 */
export function passAtK(n: number, c: number, k: number): number | Unknown {
  checkRuns(n, c, k);
  if (k > n) return tooFewRuns(n, k);
  return 1 - shareOfSubsets(n, n - c, k);
}

/**
 * Computes pass^k for one case: the probability that all of `k` runs pass, given that `c` of `n` runs did. From 0 to 1.
 * Unknown if `k` is above `n`.
 *
 * C(c, k) / C(n, k), which is unbiased (tau-bench, arXiv 2406.12045).
 *
 * @throws RangeError if `n`, `c` or `k` is not a count, `c` is above `n`, or `k` is 0.
 */
export function passHatK(n: number, c: number, k: number): number | Unknown {
  checkRuns(n, c, k);
  if (k > n) return tooFewRuns(n, k);
  return shareOfSubsets(n, c, k);
}

export function checkRuns(n: number, c: number, k: number, name = ''): void {
  checkPart(c, n, `${name}c`, `${name}n`);
  checkCount(k, 'k', 1);
}

function tooFewRuns(n: number, k: number): Unknown {
  return unknown(`${n} runs do not show what ${k} would do: at least ${k} are needed`);
}

/**
 * Computes C(m, k) / C(n, k), the share of subsets of size k that lie within m of n, as a product to avoid overflow.
 */
function shareOfSubsets(n: number, m: number, k: number): number {
  if (k > m) return 0;
  // The same quotient is a product of either k or n - m factors.
  const rest = n - m;
  let share = 1;
  if (k <= rest) for (let index = 0; index < k; index++) share *= (m - index) / (n - index);
  else for (let index = 0; index < rest; index++) share *= (n - k - index) / (n - index);
  return share;
}

/** One case: `c` of its `n` runs passed. */
export interface CaseRuns {
  readonly n: number;
  readonly c: number;
}

/**
 * Computes the mean of pass@k over cases with its t interval, whose ends are not clipped to 0 and 1. `level`: default
 * 0.95. Unknown with fewer than two cases, or if any case has fewer than `k` runs, because leaving it out would change
 * the question.
 *
 * The t interval of rates is too narrow if nearly all cases pass, or nearly all fail: see `tInterval`.
 *
 * @throws RangeError if a case has no valid counts, `k` is not a count above 0, or `level` does not lie between 0 and
 *   1.
 */
export function passAtKMean(cases: readonly CaseRuns[], k: number, level = 0.95): MeanInterval | Unknown {
  return meanOverCases(passAtK, cases, k, level);
}

/**
 * Computes the mean of pass^k over cases with its t interval, whose ends are not clipped to 0 and 1. `level`: default
 * 0.95. Unknown with fewer than two cases, or if any case has fewer than `k` runs, because leaving it out would change
 * the question.
 *
 * The t interval of rates is too narrow if nearly all cases pass, or nearly all fail: see `tInterval`.
 *
 * @throws RangeError if a case has no valid counts, `k` is not a count above 0, or `level` does not lie between 0 and
 *   1.
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
