import { checkCount, checkPart } from './check.ts';
import { type Unknown, unknown } from './unknown.ts';

/**
 * pass@k of one case: the probability that at least one of `k` runs passes, where `c` of `n` runs did. From 0 to 1.
 * Unknown where `k` is above `n`: it is not estimated beyond the runs that were made.
 *
 * 1 - C(n - c, k) / C(n, k), which is unbiased (Chen et al. 2021, arXiv 2107.03374, section 2.1).
 *
 * @throws RangeError where `n`, `c` or `k` is not a count, `c` is above `n`, or `k` is 0.
 */
export function passAtK(n: number, c: number, k: number): number | Unknown {
  checkRuns(n, c, k);
  if (k > n) return tooFewRuns(n, k);
  return 1 - shareOfSubsets(n, n - c, k);
}

/**
 * pass^k of one case: the probability that all of `k` runs pass, where `c` of `n` runs did. From 0 to 1. Unknown where `k`
 * is above `n`.
 *
 * C(c, k) / C(n, k), which is unbiased (tau-bench, arXiv 2406.12045).
 *
 * @throws RangeError where `n`, `c` or `k` is not a count, `c` is above `n`, or `k` is 0.
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

/** C(m, k) / C(n, k): the share of k runs out of n that lie within m of them. A product, as factorials would overflow. */
function shareOfSubsets(n: number, m: number, k: number): number {
  if (k > m) return 0;
  // The same quotient has k factors, or n - m of them.
  const rest = n - m;
  let share = 1;
  if (k <= rest) for (let index = 0; index < k; index++) share *= (m - index) / (n - index);
  else for (let index = 0; index < rest; index++) share *= (n - k - index) / (n - index);
  return share;
}
