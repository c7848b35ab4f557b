import type { RunOutcomes } from '@agent-criteria/analysis';
import { normalCdf } from '@agent-criteria/statistics';

/** The smallest change that counts, the same as the product's default. */
const MIN_EFFECT = 0.05;

/**
 * The best valid test of the same cases, with the same smallest effect: with repeats, the Cochran–Mantel–Haenszel test
 * stratified by case, and without repeats, McNemar's test with mid-p. Written independently of the product, so that
 * each can check the other.
 */
export function referenceDecision(before: RunOutcomes, after: RunOutcomes): 'regression' | 'improvement' | 'none' {
  const earlier = new Map(before.cases.map((one) => [one.caseId, passesOf(one)]));
  const pairs = after.cases.flatMap((one) => {
    const [a, b] = [earlier.get(one.caseId) ?? [], passesOf(one)];
    return a.length === 0 || b.length === 0 ? [] : [{ a, b }];
  });
  if (pairs.length === 0) return 'none';
  const change = mean(pairs.map(({ a, b }) => mean(b) - mean(a)));
  const single = pairs.every(({ a, b }) => a.length === 1 && b.length === 1);
  const p = single ? midP(pairs) : withinCases(pairs);
  if (p > 0.05 || Math.abs(change) < MIN_EFFECT - 1e-12) return 'none';
  return change < 0 ? 'regression' : 'improvement';
}

interface Pair {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

function passesOf({ repeats }: RunOutcomes['cases'][number]): readonly number[] {
  return repeats.flatMap(({ passed }) => (passed === null ? [] : [Number(passed)]));
}

function withinCases(pairs: readonly Pair[]): number {
  let [sum, variance] = [0, 0];
  for (const { a, b } of pairs) {
    const [n, m] = [a.length + b.length, total(a) + total(b)];
    sum += total(b) - (m * b.length) / n;
    variance += (a.length * b.length * m * (n - m)) / (n * n * (n - 1));
  }
  return variance === 0 ? 1 : 2 * (1 - normalCdf(Math.abs(sum) / Math.sqrt(variance)));
}

function midP(pairs: readonly Pair[]): number {
  const changed = pairs.filter(({ a, b }) => a[0] !== b[0]);
  const [n, up] = [changed.length, changed.filter(({ b }) => b[0] === 1).length];
  const few = Math.min(up, n - up);
  let [probability, below] = [0.5 ** n, 0];
  for (let k = 0; k < few; k++) {
    below += probability;
    probability *= (n - k) / (k + 1);
  }
  return Math.min(1, 2 * (below + probability / 2));
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function mean(values: readonly number[]): number {
  return total(values) / values.length;
}
