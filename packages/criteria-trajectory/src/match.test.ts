import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { runs } from '../../../test/runs.ts';
import type { AlignmentRow } from './alignment.ts';
import { type Call, type MatchOptions, matchTrajectory, matchTypes } from './match.ts';

const rowsOf = (
  actual: readonly Call[],
  expected: readonly Call[],
  options: MatchOptions = {},
): readonly AlignmentRow[] => {
  const match = matchTrajectory(actual, expected, options);
  return match.score === 1 ? [] : match.alignment;
};
/**
 * Draws an alignment with names as letters: `aa` for a pair, `-` for a side without a call, and `!` for a pair that
 * differs.
 */
const drawing = (actual: string, expected: string, options: MatchOptions = {}): string => {
  const calls = (letters: string) =>
    [...letters].map((name) => ({ name: name.toLowerCase(), args: { upper: name !== name.toLowerCase() } }));
  return rowsOf(calls(actual), calls(expected), options)
    .map((row) => {
      const left = row.expected === null ? '-' : expected[row.expected]!;
      const right = row.actual === null ? '-' : actual[row.actual]!;
      return `${left}${right}${row.kind === 'changed' ? '!' : ''}`;
    })
    .join(' ');
};

describe('matchTrajectory()', () => {
  test('uses EXACT by default', () => {
    const a = { name: 'a', args: { n: 1 } };
    const b = { name: 'b' };
    expect(matchTrajectory([a, b], [a, b])).toEqual({ score: 1 });
    expect(matchTrajectory([b, a], [a, b]).score).toBe(0);
    expect(matchTrajectory([a, b], [a]).score).toBe(0);
    expect(matchTrajectory([b, a, b], [a, b], { matchType: 'IN_ORDER' }).score).toBe(1);
    expect(matchTrajectory([b, a], [a, b], { matchType: 'IN_ORDER' }).score).toBe(0);
    expect(matchTrajectory([b, b, a], [a, b], { matchType: 'ANY_ORDER' }).score).toBe(1);
    expect(matchTrajectory([b, a], [b, b], { matchType: 'ANY_ORDER' }).score).toBe(0);
  });

  test('ignores ids, and treats absent and null names as equal', () => {
    expect(matchTrajectory([{ id: '1', name: 'a' } as Call], [{ id: '2', name: 'a' } as Call]).score).toBe(1);
    expect(matchTrajectory([{ args: {} }], [{ name: null, args: {} }]).score).toBe(1);
    expect(matchTrajectory([{ name: '', args: {} }], [{ args: {} }]).score).toBe(0);
  });

  test('fails on a call to a forbidden tool, expected or not', () => {
    const match = matchTrajectory([{ name: 'a' }, { name: 'rm' }], [{ name: 'a' }], {
      matchType: 'ANY_ORDER',
      forbiddenTools: ['rm', 'drop'],
    });
    expect(match).toMatchObject({ score: 0, forbidden: [1] });
    expect(matchTrajectory([{ name: 'rm' }], [{ name: 'rm' }], { forbiddenTools: ['rm'] }).score).toBe(0);
    expect(matchTrajectory([{ name: 'a' }, {}], [{ name: 'a' }, {}], { forbiddenTools: ['rm'] }).score).toBe(1);
  });

  test('throws for invalid matchers', () => {
    expect(() => matchTrajectory([], [], { matchers: { a: { 'x..y': { ignore: true } } } })).toThrow(TypeError);
  });
});

describe('the alignment from matchTrajectory()', () => {
  test.each([
    ['abc', 'ac', 'aa -b cc'],
    ['ac', 'abc', 'aa b- cc'],
    ['aBc', 'abc', 'aa bB! cc'],
    ['bca', 'abc', 'a- bb cc -a'],
    // Another tool instead of an expected one is one difference, not two.
    ['axc', 'abc', 'aa bx! cc'],
    ['xyz', '', '-x -y -z'],
    ['', 'ab', 'a- b-'],
  ])('with EXACT, for actual calls %s and expected calls %s', (actual, expected, rows) => {
    expect(drawing(actual, expected)).toBe(rows);
  });

  test('uses the matchers', () => {
    expect(drawing('BA', 'ab', { matchers: { a: { upper: { ignore: true } } } })).toBe('-B aA b-');
    expect(drawing('BA', 'ab', { matchers: { b: { upper: { ignore: true } } } })).toBe('a- bB -A');
  });

  test.each([
    ['xayC', 'abc', '-x aa b- -y cC!'],
    ['ba', 'ab', 'a- bb -a'],
    ['axc', 'abc', 'aa b- -x cc'],
  ])('with IN_ORDER, for actual calls %s and expected calls %s', (actual, expected, rows) => {
    expect(drawing(actual, expected, { matchType: 'IN_ORDER' })).toBe(rows);
  });

  test.each([
    ['cAxb', 'abc', 'aA! bb cc -x'],
    ['aa', 'aab', 'aa aa b-'],
    ['Aa', 'aa', 'aa aA!'],
  ])('with ANY_ORDER, for actual calls %s and expected calls %s', (actual, expected, rows) => {
    expect(drawing(actual, expected, { matchType: 'ANY_ORDER' })).toBe(rows);
  });

  test('pairs a missing call with the most similar call to the same tool (ANY_ORDER)', () => {
    const expected = [{ name: 'a', args: { x: 1, y: 1, z: 1 } }];
    const actual = [
      { name: 'a', args: { x: 2, y: 2, z: 2 } },
      { name: 'a', args: { x: 1, y: 1, z: 2 } },
    ];
    expect(rowsOf(actual, expected, { matchType: 'ANY_ORDER' })).toEqual([
      { kind: 'changed', expected: 0, actual: 1, differences: [{ path: ['args', 'z'], expected: 1, actual: 2 }] },
      { kind: 'extra', expected: null, actual: 0 },
    ]);
  });

  const letters = fc.array(fc.constantFrom(...'abcABC'), { maxLength: 7 }).map((list) => list.join(''));
  const givenOptions: fc.Arbitrary<MatchOptions> = fc.record({
    matchType: fc.constantFrom(...matchTypes),
    ignoreArgs: fc.boolean(),
    matchers: fc.constantFrom({}, { a: { upper: { ignore: true as const } } }),
  });

  test('contains each call once, in order, and a fault if and only if the score is 0', () => {
    fc.assert(
      fc.property(letters, letters, givenOptions, (actualLetters, expectedLetters, options) => {
        const calls = (text: string) =>
          [...text].map((name) => ({ name: name.toLowerCase(), args: { upper: name !== name.toLowerCase() } }));
        const [actual, expected] = [calls(actualLetters), calls(expectedLetters)];
        const match = matchTrajectory(actual, expected, options);
        if (match.score === 1) return;
        const places = (side: 'expected' | 'actual') =>
          match.alignment.flatMap((row) => (row[side] === null ? [] : [row[side]]));
        const all = (list: readonly unknown[]) => list.map((_, index) => index);
        expect(places('expected')).toEqual(all(expected));
        const actualPlaces = places('actual');
        expect(options.matchType === 'ANY_ORDER' ? actualPlaces.toSorted((a, b) => a - b) : actualPlaces).toEqual(
          all(actual),
        );
        const faults = match.alignment.filter(
          (row) =>
            row.kind === 'changed' || row.kind === 'missing' || (row.kind === 'extra' && options.matchType === 'EXACT'),
        );
        expect(faults.length).toBeGreaterThan(0);
        for (const row of match.alignment) {
          if (row.kind === 'changed') expect(row.differences.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: runs(2000) },
    );
  });

  test.each(matchTypes)('takes bounded time for lists of 500 and of 3,000 calls: %s', (matchType) => {
    for (const size of [500, 3_000]) {
      const list = (salt: string) =>
        Array.from({ length: size }, (_, index) => ({
          name: `tool${index % 3}`,
          args: { salt, index, deep: { list: [1, 2, 3] } },
        }));
      const taken = cpuTime();
      const rows = rowsOf(list('a'), list('b'), { matchType });
      expect(taken()).toBeLessThan(2_000);
      expect(rows.length).toBeGreaterThanOrEqual(size);
      expect(rows.some((row) => row.kind === 'same')).toBe(false);
    }
  });

  test('shows where the expected list breaks off if it is too long to align (IN_ORDER)', () => {
    const actual = Array.from({ length: 2_000 }, (_, index) => ({ name: `a${index}` }));
    const expected = [{ name: 'x' }, ...actual.toReversed(), { name: 'y' }];
    const rows = rowsOf(actual, [{ name: 'a5' }, { name: 'a3' }, ...expected], { matchType: 'IN_ORDER' });
    expect(rows.filter((row) => row.kind === 'same')).toEqual([{ kind: 'same', expected: 0, actual: 5 }]);
    expect(rows.find((row) => row.kind === 'missing')).toEqual({ kind: 'missing', expected: 1, actual: null });
  });
});

test('the entry ./match does not load core', () => {
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    const source = readFileSync(new URL(file, import.meta.url), 'utf8');
    for (const [, target] of source.matchAll(/^(?:import|export) [^;]*?from '([^']+)';/gms)) {
      if (target === '@agent-criteria/values') continue;
      expect(target, file).toMatch(/^\.\//);
      visit(target!);
    }
  };
  visit('./match.ts');
  expect(seen.size).toBeGreaterThan(5);
});
