import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { longestCommonSubsequence } from './longest-common-subsequence.ts';

/** The textbook algorithm with a table. */
function naive(first: readonly number[], second: readonly number[]): number {
  let row = new Array<number>(second.length + 1).fill(0);
  for (const a of first) {
    const next = [0];
    for (const [index, b] of second.entries()) {
      next.push(a === b ? row[index]! + 1 : Math.max(row[index + 1]!, next[index]!));
    }
    row = next;
  }
  return row.at(-1)!;
}

test('longestCommonSubsequence() equals the textbook algorithm, also across blocks', () => {
  const list = (size: number) => fc.array(fc.nat(size - 1), { maxLength: 150, size: 'max' });
  const lists = fc.constantFrom(1, 2, 5, 60).chain((size) => fc.tuple(list(size), list(size), fc.constant(size)));
  fc.assert(
    fc.property(lists, ([first, second, size]) => {
      expect(longestCommonSubsequence(first, second, size)).toBe(naive(first, second));
    }),
    { numRuns: runs(500) },
  );
});

test.each([0, 1, 31, 32, 33, 63, 64, 65])('longestCommonSubsequence() of %d equal numbers is their count', (length) => {
  const list = new Array<number>(length).fill(0);
  expect(longestCommonSubsequence(list, list, 1)).toBe(length);
  expect(longestCommonSubsequence(list, [0], 1)).toBe(Math.min(length, 1));
});
