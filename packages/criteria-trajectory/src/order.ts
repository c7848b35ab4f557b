import { maximumMatching } from './assignment.ts';
import { type Call, type Comparison, nameOf } from './comparison.ts';
import type { MatchType } from './match-type.ts';

/** Whether the actual calls are as expected. */
export function isAsExpected(
  expected: readonly Call[],
  actual: readonly Call[],
  matchType: MatchType,
  comparison: Comparison,
): boolean {
  if (matchType === 'EXACT') {
    return expected.length === actual.length && expected.every((call, index) => comparison.same(call, actual[index]!));
  }
  if (expected.length > actual.length) return false;
  if (matchType === 'IN_ORDER') return followInOrder(expected, actual, comparison).length === expected.length;
  return !assignInAnyOrder(expected, actual, comparison).includes(-1);
}

/**
 * Goes through the actual calls and takes each as the next expected call if they match. If all expected calls can be
 * found in order, this finds them, with or without matchers.
 *
 * @returns The index of the actual call for each expected call that was found, starting with the first.
 */
export function followInOrder(expected: readonly Call[], actual: readonly Call[], comparison: Comparison): number[] {
  const places: number[] = [];
  for (let index = 0; index < actual.length && places.length < expected.length; index++) {
    if (comparison.same(expected[places.length]!, actual[index]!)) places.push(index);
  }
  return places;
}

/**
 * Assigns actual calls to as many expected calls as possible, each at most once. Tools whose arguments are compared
 * exactly take time linear in the number of calls; tools with matchers need a maximum matching, because a greedy choice
 * can be wrong for them.
 *
 * @returns For each expected call, the index of the actual call, or -1.
 */
export function assignInAnyOrder(
  expected: readonly Call[],
  actual: readonly Call[],
  comparison: Comparison,
): Int32Array {
  const places = new Int32Array(expected.length).fill(-1);
  assignExact(expected, actual, comparison, places);
  const madeByName = placesOfMatched(actual, comparison);
  for (const [name, wanted] of placesOfMatched(expected, comparison)) {
    const made = madeByName.get(name) ?? [];
    const matching = maximumMatching(wanted.length, made.length, (left, right) =>
      comparison.same(expected[wanted[left]!]!, actual[made[right]!]!),
    );
    wanted.forEach((place, left) => {
      places[place] = made[matching[left]!] ?? -1;
    });
  }
  return places;
}

/** The indexes of equal expected calls, last one first. */
interface Group {
  readonly call: Call;
  readonly places: number[];
  /** The next group with the same hash, and the number of groups in the chain from this one on. */
  readonly next: Group | undefined;
  readonly length: number;
}

// Calls mostly differ at the first level of their arguments, and hashing only that level takes a third of the time.
const firstLevel = 1;
const allLevels = undefined;
// The maximum number of different expected calls with the same hash.
const longestChain = 8;

function assignExact(
  expected: readonly Call[],
  actual: readonly Call[],
  comparison: Comparison,
  places: Int32Array,
): void {
  const shallow = groupEqual(expected, comparison, firstLevel);
  const { groups, depth } = shallow.longest > longestChain ? groupEqual(expected, comparison, allLevels) : shallow;
  if (groups.size === 0) return;
  for (let index = 0; index < actual.length; index++) {
    const call = actual[index]!;
    if (!comparison.isExact(nameOf(call))) continue;
    const place = findGroup(groups.get(comparison.hash(call, depth)), call, comparison)?.places.pop();
    if (place !== undefined) places[place] = index;
  }
}

/** Groups equal calls that are compared exactly, using hashes of this depth. */
function groupEqual(calls: readonly Call[], comparison: Comparison, depth: number | undefined) {
  const groups = new Map<number, Group>();
  let longest = 0;
  for (let place = calls.length - 1; place >= 0 && (longest <= longestChain || depth === allLevels); place--) {
    const call = calls[place]!;
    if (!comparison.isExact(nameOf(call))) continue;
    const hash = comparison.hash(call, depth);
    const first = groups.get(hash);
    const group = findGroup(first, call, comparison);
    if (group !== undefined) {
      group.places.push(place);
      continue;
    }
    const length = (first?.length ?? 0) + 1;
    groups.set(hash, { call, places: [place], next: first, length });
    longest = Math.max(longest, length);
  }
  return { groups, depth, longest };
}

function findGroup(first: Group | undefined, call: Call, comparison: Comparison): Group | undefined {
  let group = first;
  while (group !== undefined && !comparison.same(group.call, call)) group = group.next;
  return group;
}

// Returns the indexes of the calls whose tool has matchers, by tool.
function placesOfMatched(calls: readonly Call[], comparison: Comparison): Map<string | null, number[]> {
  const places = new Map<string | null, number[]>();
  calls.forEach((call, place) => {
    const name = nameOf(call);
    if (comparison.isExact(name)) return;
    const known = places.get(name);
    if (known === undefined) places.set(name, [place]);
    else known.push(place);
  });
  return places;
}
