import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { runs } from '../../../test/runs.ts';
import { maximumMatching } from './assignment.ts';
import { type Call, type ComparisonOptions, createComparison } from './comparison.ts';
import type { MatchType } from './match-type.ts';
import type { Matchers } from './matchers.ts';
import { assignInAnyOrder, isAsExpected } from './order.ts';

// Few names and arguments, so that lists often have calls in common.
const args = fc.constantFrom<NonNullable<Call['args']> | undefined>(
  {},
  { x: 1 },
  { x: true },
  { x: [0] },
  { x: 2 },
  undefined,
);
const call: fc.Arbitrary<Call> = fc.tuple(fc.constantFrom('a', 'b', null), args).map(([name, given]) => ({
  name,
  args: given,
}));
const calls = fc.array(call, { maxLength: 6 });
const compat = fc.constantFrom<'adk' | null>('adk', null);
const matchers: Matchers = { a: { x: { tolerance: 1 } }, b: { $: { partial: true } } };
const options: fc.Arbitrary<ComparisonOptions> = fc.oneof(
  fc.record({ compat }),
  fc.record({ compat, matchers: fc.constant(matchers) }),
  fc.record({ compat, ignoreArgs: fc.constant(true) }),
);

const passes = (expected: readonly Call[], actual: readonly Call[], type: MatchType, given: ComparisonOptions) =>
  isAsExpected(expected, actual, type, createComparison(given));

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

describe('match types', () => {
  test('EXACT holds exactly for equal lists', () => {
    fc.assert(
      fc.property(calls, calls, options, (expected, actual, given) => {
        const { same } = createComparison(given);
        const equal = expected.length === actual.length && expected.every((one, index) => same(one, actual[index]!));
        expect(passes(expected, actual, 'EXACT', given)).toBe(equal);
        expect(passes(expected, expected, 'EXACT', given)).toBe(true);
      }),
    );
  });

  test('EXACT implies IN_ORDER, which implies ANY_ORDER', () => {
    fc.assert(
      fc.property(calls, calls, options, (expected, actual, given) => {
        if (passes(expected, actual, 'EXACT', given)) expect(passes(expected, actual, 'IN_ORDER', given)).toBe(true);
        if (passes(expected, actual, 'IN_ORDER', given))
          expect(passes(expected, actual, 'ANY_ORDER', given)).toBe(true);
      }),
      { numRuns: runs(2000) },
    );
  });

  test('IN_ORDER holds exactly if some subsequence of the calls is the expected list', () => {
    const exists = (expected: readonly Call[], actual: readonly Call[], given: ComparisonOptions): boolean => {
      const { same } = createComparison(given);
      const from = (left: number, right: number): boolean =>
        left === expected.length ||
        (right < actual.length &&
          ((same(expected[left]!, actual[right]!) && from(left + 1, right + 1)) || from(left, right + 1)));
      return from(0, 0);
    };
    fc.assert(
      fc.property(calls, calls, options, (expected, actual, given) => {
        expect(passes(expected, actual, 'IN_ORDER', given)).toBe(exists(expected, actual, given));
      }),
      { numRuns: runs(2000) },
    );
  });

  test('ANY_ORDER holds exactly if some permutation of the calls satisfies IN_ORDER, also with matchers', () => {
    const short = fc.array(call, { maxLength: 4 });
    fc.assert(
      fc.property(short, short, options, (expected, actual, given) => {
        const exists = permutations(actual).some((order) => passes(expected, order, 'IN_ORDER', given));
        expect(passes(expected, actual, 'ANY_ORDER', given)).toBe(exists);
      }),
      { numRuns: runs(1000) },
    );
  });

  test('ANY_ORDER does not depend on the order of the calls', () => {
    const shuffled = calls.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length })),
    );
    fc.assert(
      fc.property(calls, shuffled, options, (expected, [actual, other], given) => {
        expect(passes(expected, actual, 'ANY_ORDER', given)).toBe(passes(expected, other, 'ANY_ORDER', given));
      }),
      { numRuns: runs(1000) },
    );
  });

  test('ANY_ORDER finds a matching that a greedy choice would miss', () => {
    const expected = [
      { name: 'a', args: { x: 1 } },
      { name: 'a', args: { x: 3 } },
    ];
    const actual = [
      { name: 'a', args: { x: 2 } },
      { name: 'a', args: { x: 0 } },
    ];
    expect(passes(expected, actual, 'ANY_ORDER', { matchers: { a: { x: { tolerance: 1 } } } })).toBe(true);
    expect(passes(expected, actual, 'ANY_ORDER', {})).toBe(false);
  });

  test('ANY_ORDER matches each call with one expected call, in order', () => {
    const one = { name: 'a', args: {} };
    const comparison = createComparison({});
    expect([...assignInAnyOrder([one, one], [one, { name: 'b' }, one, one], comparison)]).toEqual([0, 2]);
    expect([...assignInAnyOrder([one, one], [one], comparison)]).toEqual([0, -1]);
  });
});

describe('maximumMatching()', () => {
  test('pairs as many items as brute force', () => {
    const grid = fc
      .tuple(fc.nat({ max: 5 }), fc.nat({ max: 5 }))
      .chain(([left, right]) =>
        fc.array(fc.array(fc.boolean(), { minLength: right, maxLength: right }), { minLength: left, maxLength: left }),
      );
    const most = (rows: readonly (readonly boolean[])[], taken: ReadonlySet<number>): number => {
      const [first, ...rest] = rows;
      if (first === undefined) return 0;
      const choices = first.flatMap((fits, right) =>
        fits && !taken.has(right) ? [1 + most(rest, new Set([...taken, right]))] : [],
      );
      return Math.max(most(rest, taken), ...choices);
    };
    fc.assert(
      fc.property(grid, (rows) => {
        const right = rows[0]?.length ?? 0;
        const found = [...maximumMatching(rows.length, right, (l, r) => rows[l]![r]!)];
        const paired = found.filter((place) => place !== -1);
        expect(new Set(paired).size).toBe(paired.length);
        found.forEach((place, left) => {
          if (place !== -1) expect(rows[left]![place]).toBe(true);
        });
        expect(paired.length).toBe(most(rows, new Set()));
      }),
      { numRuns: runs(2000) },
    );
  });

  test('tests each pair at most once and follows long paths', () => {
    const size = 400;
    const asked = new Map<number, number>();
    // Each item fits its own position and the one before: taking the first free position moves all other items along.
    const found = maximumMatching(size, size, (left, right) => {
      const pair = left * size + right;
      asked.set(pair, (asked.get(pair) ?? 0) + 1);
      return right === left || right === left - 1 || (left === size - 1 && right === 0);
    });
    expect([...found].sort((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, index) => index));
    expect(Math.max(...asked.values())).toBe(1);
  });
});

test.each<[string, (index: number) => Record<string, unknown>]>([
  ['differ on the first level', (index) => ({ query: `q${index}`, filter: { list: [0] } })],
  ['differ deep inside only', (index) => ({ query: 'q', filter: { list: [{ deep: index }] } })],
  ['are all equal', () => ({ query: 'q' })],
])('ANY_ORDER takes time linear in the number of calls if they %s', (_, argsOf) => {
  const size = 40_000;
  const expected = Array.from({ length: size }, (_, index) => ({ name: 'a', args: argsOf(index) }));
  const taken = cpuTime();
  expect(passes(expected, expected.toReversed(), 'ANY_ORDER', {})).toBe(true);
  // Comparing each expected call with each actual one would be 1,600,000,000 comparisons, which takes minutes.
  expect(taken()).toBeLessThan(5_000);
});
