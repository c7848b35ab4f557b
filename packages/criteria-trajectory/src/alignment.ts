import { type Call, type Comparison, nameOf } from './comparison.ts';
import type { CallDifference } from './differences.ts';
import type { MatchType } from './match-type.ts';
import { assignInAnyOrder, followInOrder } from './order.ts';

/**
 * One row of an alignment: an expected call next to an actual one, by their indexes in the two lists.
 *
 * - `same`: the call was made as expected.
 * - `changed`: the call was made with other arguments, or (`EXACT` only) under another name.
 * - `missing`: an expected call that was not made; with `IN_ORDER`, also one made out of order.
 * - `extra`: a call that was not expected. Only `EXACT` counts it as a fault.
 */
export type AlignmentRow =
  | { readonly kind: 'same'; readonly expected: number; readonly actual: number }
  | {
      readonly kind: 'changed';
      readonly expected: number;
      readonly actual: number;
      /** At most 20, with paths starting at the call: `['name']`, `['args', 'filter', 'date']`. */
      readonly differences: readonly CallDifference[];
    }
  | { readonly kind: 'missing'; readonly expected: number; readonly actual: null }
  | { readonly kind: 'extra'; readonly expected: null; readonly actual: number };

/** The maximum number of differences listed for one pair of calls. */
const differenceLimit = 20;

// The maximum number of pairs for an optimal alignment, after equal calls at both ends are removed: some 30 ms for 500
// calls on each side. Longer lists get a simpler alignment.
const pairLimit = 250_000;

// The maximum number of calls of the same tool that a missing call is compared with.
const candidateLimit = 20;

/**
 * Aligns the actual calls with the expected ones, in the order in which the calls were made, or with `ANY_ORDER`, in
 * the order of the expected calls, with extra calls last. All rows are `same`, or `extra` if that is allowed, exactly
 * when the calls are as expected.
 */
export function align(
  expected: readonly Call[],
  actual: readonly Call[],
  matchType: MatchType,
  comparison: Comparison,
): AlignmentRow[] {
  const pairs =
    matchType === 'ANY_ORDER'
      ? inAnyOrder(expected, actual, comparison)
      : inOrder(expected, actual, matchType, comparison);
  return pairs.map(([left, right]) => {
    if (left === null) return { kind: 'extra', expected: null, actual: right! };
    if (right === null) return { kind: 'missing', expected: left, actual: null };
    const [wanted, made] = [expected[left]!, actual[right]!];
    if (comparison.same(wanted, made)) return { kind: 'same', expected: left, actual: right };
    const differences = callDifferences(wanted, made, comparison, differenceLimit);
    return { kind: 'changed', expected: left, actual: right, differences };
  });
}

/** The indexes of an expected call and an actual one, each `null` if it has no counterpart. */
type Pair = readonly [expected: number | null, actual: number | null];

function callDifferences(expected: Call, actual: Call, comparison: Comparison, limit: number): CallDifference[] {
  const name: CallDifference[] =
    nameOf(expected) === nameOf(actual) ? [] : [{ path: ['name'], expected: nameOf(expected), actual: nameOf(actual) }];
  const args = comparison
    .differences(expected, actual, limit - name.length)
    .map((difference) => ({ ...difference, path: ['args', ...difference.path] }));
  return [...name, ...args];
}

function inAnyOrder(expected: readonly Call[], actual: readonly Call[], comparison: Comparison): Pair[] {
  const places = assignInAnyOrder(expected, actual, comparison);
  const taken = new Set(places);
  const left = new Map<string | null, number[]>();
  actual.forEach((call, index) => {
    if (taken.has(index)) return;
    const sameName = left.get(nameOf(call));
    if (sameName === undefined) left.set(nameOf(call), [index]);
    else sameName.push(index);
  });
  const pairs = [...places].map((place, index): Pair => {
    if (place !== -1) return [index, place];
    const nearest = takeNearest(expected[index]!, actual, left.get(nameOf(expected[index]!)) ?? [], comparison);
    return [index, nearest];
  });
  const extra = [...left.values()].flat().sort((a, b) => a - b);
  return [...pairs, ...extra.map((index): Pair => [null, index])];
}

// Removes the candidate with the fewest differences, considering only the first ones if there are many.
function takeNearest(
  expected: Call,
  actual: readonly Call[],
  candidates: number[],
  comparison: Comparison,
): number | null {
  if (candidates.length === 0) return null;
  const distances = candidates
    .slice(0, candidateLimit)
    .map((place) => comparison.differences(expected, actual[place]!, differenceLimit).length);
  const [nearest] = candidates.splice(distances.indexOf(Math.min(...distances)), 1);
  return nearest ?? null;
}

function inOrder(
  expected: readonly Call[],
  actual: readonly Call[],
  matchType: MatchType,
  comparison: Comparison,
): Pair[] {
  const same = (left: number, right: number) => comparison.same(expected[left]!, actual[right]!);
  let start = 0;
  while (start < expected.length && start < actual.length && same(start, start)) start++;
  let tail = 0;
  while (
    tail < expected.length - start &&
    tail < actual.length - start &&
    same(expected.length - 1 - tail, actual.length - 1 - tail)
  ) {
    tail++;
  }
  const wanted = expected.slice(start, expected.length - tail);
  const made = actual.slice(start, actual.length - tail);
  const middle =
    wanted.length * made.length <= pairLimit
      ? fewestEdits(wanted, made, matchType === 'EXACT', comparison)
      : matchType === 'EXACT'
        ? byPlace(wanted.length, made.length)
        : byFollowing(wanted, made, comparison);
  return [
    ...range(start).map((index): Pair => [index, index]),
    ...middle.map(
      ([left, right]): Pair => [left === null ? null : left + start, right === null ? null : right + start],
    ),
    ...range(tail).map((index): Pair => [expected.length - tail + index, actual.length - tail + index]),
  ];
}

// Costs of an alignment. A differing pair is cheaper than two single calls, and different arguments are cheaper than a
// different name. Every missing call entails one more extra call, so if the calls are as expected, the cheapest
// alignment has neither missing calls nor differing pairs.
const single = 4;
const otherArgs = 5;
const otherName = 7;
const never = 2 * single + 1;

function fewestEdits(
  expected: readonly Call[],
  actual: readonly Call[],
  pairNames: boolean,
  comparison: Comparison,
): Pair[] {
  const columns = actual.length;
  const pairCosts = costOfPairs(expected, actual, pairNames, comparison);
  // steps[left * columns + right] is the first step for the calls from that point on: 0 pair, 1 missing, 2 extra.
  const steps = new Uint8Array(expected.length * columns);
  let below = Int32Array.from({ length: columns + 1 }, (_, right) => (columns - right) * single);
  for (let left = expected.length - 1; left >= 0; left--) {
    const costs = new Int32Array(columns + 1);
    costs[columns] = (expected.length - left) * single;
    for (let right = columns - 1; right >= 0; right--) {
      const paired = pairCosts[left * columns + right]! + below[right + 1]!;
      const missing = single + below[right]!;
      const extra = single + costs[right + 1]!;
      const best = Math.min(paired, missing, extra);
      costs[right] = best;
      steps[left * columns + right] = best === paired ? 0 : best === missing ? 1 : 2;
    }
    below = costs;
  }

  const pairs: Pair[] = [];
  let left = 0;
  let right = 0;
  while (left < expected.length || right < columns) {
    const step = left === expected.length ? 2 : right === columns ? 1 : steps[left * columns + right];
    if (step === 0) pairs.push([left++, right++]);
    else if (step === 1) pairs.push([left++, null]);
    else pairs.push([null, right++]);
  }
  return pairs;
}

function costOfPairs(
  expected: readonly Call[],
  actual: readonly Call[],
  pairNames: boolean,
  comparison: Comparison,
): Uint8Array {
  const columns = actual.length;
  const costs = new Uint8Array(expected.length * columns);
  // Hashes save most comparisons for tools without matchers.
  const hashes = actual.map((call) => comparison.hash(call));
  expected.forEach((wanted, left) => {
    const name = nameOf(wanted);
    const exact = comparison.isExact(name);
    const hash = comparison.hash(wanted);
    actual.forEach((made, right) => {
      const place = left * columns + right;
      if (nameOf(made) !== name) costs[place] = pairNames ? otherName : never;
      else if (exact && hashes[right] !== hash) costs[place] = otherArgs;
      else costs[place] = comparison.same(wanted, made) ? 0 : otherArgs;
    });
  });
  return costs;
}

// Pairs calls by position. Used if the lists are too long to align.
function byPlace(expected: number, actual: number): Pair[] {
  return range(Math.max(expected, actual)).map((index) => [
    index < expected ? index : null,
    index < actual ? index : null,
  ]);
}

// Pairs calls as `followInOrder` finds them, with the rest missing. Used if the lists are too long to align.
function byFollowing(expected: readonly Call[], actual: readonly Call[], comparison: Comparison): Pair[] {
  const places = followInOrder(expected, actual, comparison);
  const pairs: Pair[] = [];
  let next = 0;
  places.forEach((place, index) => {
    while (next < place) pairs.push([null, next++]);
    pairs.push([index, next++]);
  });
  for (let index = places.length; index < expected.length; index++) pairs.push([index, null]);
  while (next < actual.length) pairs.push([null, next++]);
  return pairs;
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}
