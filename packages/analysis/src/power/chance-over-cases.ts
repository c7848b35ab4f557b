import {
  betaInc,
  isUnknown,
  mcnemarMidP,
  normalCdf,
  normalQuantile,
  withinCasePermutation,
} from '@agent-criteria/statistics';
import type { Drop } from './drop.ts';
import type { Pilot } from './pilot.ts';

/** Above this number of cases that run once, the normal approximation is just as good. */
const COUNTED_UP_TO = 500;
/** Above this number of cases that run several times, a regression can always be shown. */
const FEW = 10;

/**
 * Computes the probability that a comparison of independent cases finds a fall: by the normal approximation if repeats
 * are permuted within cases, and by counting for McNemar's test if each case runs once. Both need only the mean and the
 * variance of the cases' pass rates. Agrees with simulations of the decision (`pnpm simulate`, "announced power") to
 * within 5 points.
 */
export function chanceOverCases(pilot: Pick<Pilot, 'passRate' | 'within'>, drop: Drop): number {
  const { passRate, within } = pilot;
  const { shape, size, cases: n, repeats: r, minEffect, alpha } = drop;
  if (size > passRate) return 0;
  if (r > 1 && n <= FEW && cannotShow(n, r, alpha)) return 0;
  const lost = size / passRate;
  const kept = 1 - lost;
  // E(p) and E(p^2) for a case before and after, and the expectation of their product.
  const [mean, square] = [passRate, passRate - within];
  const meanAfter = kept * mean;
  const squareAfter = (shape === 'all' ? kept * kept : kept) * square;
  const product = kept * square;
  if (r === 1 && n <= COUNTED_UP_TO) {
    return chanceOnce(mean - product, meanAfter - product, n, minEffect, alpha);
  }
  const ofChange = square + squareAfter - 2 * product - size * size;
  const variance = (mean - square + meanAfter - squareAfter) / r + ofChange;
  // The variance under the test: of repeats permuted within cases, or of flipped signs.
  const passes = r * (mean + meanAfter);
  const passesSquared = r * (mean - square + meanAfter - squareAfter) + r * r * (square + squareAfter + 2 * product);
  const tested = r > 1 ? (2 * r * passes - passesSquared) / (r * r * (2 * r - 1)) : variance + size * size;
  const least = Math.max(minEffect, normalQuantile(1 - alpha / 2) * Math.sqrt(tested / n));
  return variance <= 0 ? Number(size >= least) : normalCdf((size - least) / Math.sqrt(variance / n));
}

/** Whether not even a fall from all passes to all failures would be found. */
function cannotShow(n: number, r: number, alpha: number): boolean {
  const repeats = (value: number) => Array<number>(r).fill(value);
  const found = withinCasePermutation(Array.from({ length: n }, () => ({ base: repeats(1), candidate: repeats(0) })));
  return isUnknown(found) || (found.p > 0.05 ? found.p : found.midP) > alpha;
}

/** Computes the chance if each of `n` cases falls, rises or stays the same with these probabilities. */
function chanceOnce(falls: number, rises: number, n: number, minEffect: number, alpha: number): number {
  const changes = falls + rises;
  // With so few cases, not even a fall of all of them would be found.
  if (changes <= 0 || 2 / 2 ** n > 0.05) return 0;
  const spread = 8 * Math.sqrt(n * changes * (1 - changes)) + 8;
  const [from, to] = [Math.max(0, Math.floor(n * changes - spread)), Math.min(n, Math.ceil(n * changes + spread))];
  let chance = 0;
  for (let changed = from; changed <= to; changed++) {
    const needed = Math.max(fewestFalls(changed, alpha), Math.ceil((changed + minEffect * n) / 2 - 1e-9));
    if (needed > changed) continue;
    const exactly = atLeast(changed, n, changes) - atLeast(changed + 1, n, changes);
    chance += exactly * atLeast(needed, changed, falls / changes);
  }
  return chance;
}

/** Computes P(X >= k) for a binomial distribution. */
function atLeast(k: number, n: number, rate: number): number {
  if (k <= 0) return 1;
  if (k > n || rate <= 0) return 0;
  return rate >= 1 ? 1 : betaInc(rate, k, n - k + 1);
}

const known = new Map<string, number>();

/** Returns the fewest significant falls among the changed cases, or one more than those cases if no number suffices. */
function fewestFalls(changed: number, alpha: number): number {
  const key = `${changed} ${alpha}`;
  const own = known.get(key);
  if (own !== undefined) return own;
  let [low, high] = [Math.ceil(changed / 2), changed + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (mcnemarMidP(middle, changed - middle) <= alpha) high = middle;
    else low = middle + 1;
  }
  known.set(key, low);
  return low;
}
