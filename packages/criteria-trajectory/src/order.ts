import { maximumMatching } from './assignment.ts';
import { type Call, type Comparison, nameOf } from './comparison.ts';
import type { MatchType } from './match-type.ts';

/** Whether the calls that were made are as expected. */
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
 * Walks the calls that were made and takes each as the next expected one where it can be. When all expected calls can
 * be found in order, this finds them, with and without matchers.
 *
 * @returns for the expected calls that were found, from the first, the place of the call that was made
 */
export function followInOrder(expected: readonly Call[], actual: readonly Call[], comparison: Comparison): number[] {
  const places: number[] = [];
  for (let index = 0; index < actual.length && places.length < expected.length; index++) {
    if (comparison.same(expected[places.length]!, actual[index]!)) places.push(index);
  }
  return places;
}

/**
 * Gives as many expected calls as possible a call of their own among those that were made. Tools whose arguments are
 * compared exactly take time linear in the calls; tools with matchers take a maximum matching, because there a greedy
 * choice can be wrong.
 *
 * @returns for each expected call, the place of the one that was made, or -1
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

/** Equal expected calls: where they stand, the last one first. */
interface Group {
  readonly call: Call;
  readonly places: number[];
  /** Another group of the same hash. */
  readonly next: Group | undefined;
}

function assignExact(
  expected: readonly Call[],
  actual: readonly Call[],
  comparison: Comparison,
  places: Int32Array,
): void {
  const groups = new Map<number, Group>();
  let open = 0;
  for (let place = expected.length - 1; place >= 0; place--) {
    const call = expected[place]!;
    if (!comparison.isExact(nameOf(call))) continue;
    const hash = comparison.hash(call);
    const group = findGroup(groups.get(hash), call, comparison);
    if (group === undefined) groups.set(hash, { call, places: [place], next: groups.get(hash) });
    else group.places.push(place);
    open++;
  }
  for (let index = 0; index < actual.length && open > 0; index++) {
    const call = actual[index]!;
    if (!comparison.isExact(nameOf(call))) continue;
    const place = findGroup(groups.get(comparison.hash(call)), call, comparison)?.places.pop();
    if (place === undefined) continue;
    places[place] = index;
    open--;
  }
}

function findGroup(first: Group | undefined, call: Call, comparison: Comparison): Group | undefined {
  let group = first;
  while (group !== undefined && !comparison.same(group.call, call)) group = group.next;
  return group;
}

// The places of the calls whose tool has matchers, by tool.
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
