import { type Equality, equalValues, formatValuePath } from '@agent-criteria/values';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { runs } from '../../../test/runs.ts';
import { createComparison } from './comparison.ts';
import { findDifferences } from './differences.ts';
import { checkMatchers, compileMatchers, type Matcher, type Matchers } from './matchers.ts';

type Args = Record<string, unknown>;

function accepts(
  matchers: Matchers,
  expected: Args | undefined,
  actual: Args | undefined,
  compat: 'adk' | null = null,
) {
  const call = (args: Args | undefined) => (args === undefined ? { name: 't' } : { name: 't', args });
  return createComparison({ matchers, compat }).same(call(expected), call(actual));
}

const at = (path: string, matcher: Matcher): Matchers => ({ t: { [path]: matcher } });

describe('ignore', () => {
  test('accepts any value, or a missing one, on either side', () => {
    const matchers = at('id', { ignore: true });
    expect(accepts(matchers, { id: 1, a: 1 }, { id: 'x', a: 1 })).toBe(true);
    expect(accepts(matchers, { id: 1, a: 1 }, { a: 1 })).toBe(true);
    expect(accepts(matchers, { a: 1 }, { id: 1, a: 1 })).toBe(true);
    expect(accepts(matchers, { id: 1, a: 1 }, { id: 1, a: 2 })).toBe(false);
    expect(accepts(matchers, { a: 1 }, { identity: 1, a: 1 })).toBe(false);
  });

  test('at the root ignores all arguments of one tool', () => {
    const comparison = createComparison({ matchers: at('$', { ignore: true }) });
    expect(comparison.same({ name: 't', args: { a: 1 } }, { name: 't' })).toBe(true);
    expect(comparison.same({ name: 'u', args: { a: 1 } }, { name: 'u' })).toBe(false);
    expect(comparison.same({ name: 't' }, { name: 'u' })).toBe(false);
  });
});

describe('partial', () => {
  test('allows extra keys at its level and below, also in objects inside lists', () => {
    const matchers = at('filter', { partial: true });
    const expected = { filter: { from: 1, list: [{ a: 1 }] }, b: 1 };
    expect(accepts(matchers, expected, { filter: { from: 1, to: 2, list: [{ a: 1, c: 3 }] }, b: 1 })).toBe(true);
    expect(accepts(matchers, expected, { filter: { list: [{ a: 1 }] }, b: 1 })).toBe(false);
    expect(accepts(matchers, expected, { filter: { from: 2, list: [{ a: 1 }] }, b: 1 })).toBe(false);
    expect(accepts(matchers, expected, { filter: { from: 1, list: [{ a: 1 }, { a: 1 }] }, b: 1 })).toBe(false);
    expect(accepts(matchers, expected, { filter: { from: 1, list: [{ a: 1 }] }, b: 1, c: 1 })).toBe(false);
  });

  test('at the root, absent arguments are an empty object in both modes', () => {
    for (const compat of [null, 'adk'] as const) {
      expect(accepts(at('$', { partial: true }), undefined, { a: 1 }, compat)).toBe(true);
      expect(accepts(at('$', { partial: true }), { a: 1 }, undefined, compat)).toBe(false);
    }
  });

  test('requires an object if one is expected', () => {
    expect(accepts(at('f', { partial: true }), { f: { a: 1 } }, { f: null })).toBe(false);
    expect(accepts(at('f', { partial: true }), {}, { f: { a: 1 } })).toBe(false);
  });

  test('throws beyond 200 levels rather than deciding wrongly', () => {
    const deep = (end: unknown) => JSON.parse(`${'{"a":'.repeat(300)}${JSON.stringify(end)}${'}'.repeat(300)}`);
    expect(accepts(at('$', { partial: true }), deep({}), deep({}))).toBe(true);
    expect(() => accepts(at('$', { partial: true }), deep({}), deep({ more: 1 }))).toThrow(/200 levels/);
    expect(accepts(at('id', { ignore: true }), deep({}), deep({ more: 1 }))).toBe(false);
  });
});

describe('values', () => {
  test('oneOf accepts any of the values', () => {
    const matchers = at('unit', { oneOf: ['C', { of: 1 }] });
    expect(accepts(matchers, { unit: 'F' }, { unit: 'C' })).toBe(true);
    expect(accepts(matchers, { unit: 'F' }, { unit: { of: 1.0 } })).toBe(true);
    expect(accepts(matchers, {}, { unit: 'C' })).toBe(true);
    expect(accepts(matchers, { unit: 'F' }, { unit: 'K' })).toBe(false);
    expect(accepts(matchers, { unit: 'C' }, {})).toBe(false);
    expect(accepts(at('n', { oneOf: [1] }), { n: 2 }, { n: true })).toBe(false);
    expect(accepts(at('n', { oneOf: [1] }), { n: 2 }, { n: true }, 'adk')).toBe(true);
  });

  test('pattern matches whole strings, in linear time', () => {
    const matchers = at('id', { pattern: '(?i)ORD-[0-9]+' });
    expect(accepts(matchers, { id: 'ORD-1' }, { id: 'ord-23' })).toBe(true);
    expect(accepts(matchers, { id: 'ORD-1' }, { id: 'ORD-23x' })).toBe(false);
    expect(accepts(matchers, { id: 'ORD-1' }, { id: 23 })).toBe(false);
    const taken = cpuTime();
    expect(accepts(at('s', { pattern: '(a+)+b' }), { s: '' }, { s: `${'a'.repeat(50_000)}c` })).toBe(false);
    expect(taken()).toBeLessThan(2000);
  });

  test('tolerance is inclusive, and allows for rounding', () => {
    const matchers = at('n', { tolerance: 0.1 });
    expect(accepts(matchers, { n: 1 }, { n: 1.1 })).toBe(true);
    expect(accepts(matchers, { n: 1_000_000 }, { n: 1_000_000.1 })).toBe(true);
    expect(accepts(matchers, { n: 1 }, { n: 1.1001 })).toBe(false);
    expect(accepts(matchers, { n: 1 }, { n: '1' })).toBe(false);
    expect(accepts(matchers, {}, { n: 0 })).toBe(false);
    expect(accepts(at('n', { tolerance: 1 }), { n: 0 }, { n: true })).toBe(false);
  });

  test('shape accepts strings in one format', () => {
    expect(accepts(at('d', { shape: 'date' }), { d: '2026-05-01' }, { d: '2026-05-02T10:00' })).toBe(true);
    expect(accepts(at('d', { shape: 'date' }), { d: '2026-05-01' }, { d: 'tomorrow' })).toBe(false);
    expect(accepts(at('d', { shape: 'date' }), { d: 'tomorrow' }, { d: 'tomorrow' })).toBe(true);
  });
});

describe('paths', () => {
  test('lead into objects and lists, to a single item or to each one', () => {
    const expected = {
      items: [
        { id: 1, n: 1 },
        { id: 2, n: 2 },
      ],
    };
    const actual = {
      items: [
        { id: 8, n: 1 },
        { id: 9, n: 2 },
      ],
    };
    expect(accepts(at('items[*].id', { ignore: true }), expected, actual)).toBe(true);
    expect(accepts(at('items[0].id', { ignore: true }), expected, actual)).toBe(false);
    expect(accepts({ t: { 'items[0].id': { ignore: true }, 'items[1].id': { ignore: true } } }, expected, actual)).toBe(
      true,
    );
    expect(accepts(at('[*]', { ignore: true }), { a: 1, b: 2 }, { a: 2, c: 3 })).toBe(true);
    expect(accepts(at('["items"][*][*]', { tolerance: 7 }), expected, actual)).toBe(true);
  });

  test('read a number as a list index, and a quoted number as a key', () => {
    expect(accepts(at('[0]', { ignore: true }), { 0: 1 }, { 0: 2 })).toBe(false);
    expect(accepts(at("['0']", { ignore: true }), { 0: 1 }, { 0: 2 })).toBe(true);
  });

  test('of the tool * apply to every tool, and one accepting matcher is enough', () => {
    const matchers: Matchers = { '*': { id: { ignore: true }, n: { tolerance: 1 } }, t: { n: { oneOf: [50] } } };
    expect(accepts(matchers, { id: 1, n: 1 }, { id: 2, n: 2 })).toBe(true);
    expect(accepts(matchers, { id: 1, n: 1 }, { n: 50 })).toBe(true);
    expect(accepts(matchers, { id: 1, n: 1 }, { id: 1, n: 3 })).toBe(false);
    const other = createComparison({ matchers });
    expect(other.same({ name: 'u', args: { n: 1 } }, { name: 'u', args: { n: 50 } })).toBe(false);
    expect(other.same({ args: { id: 1 } }, { args: { id: 2 } })).toBe(true);
  });

  test('find only own keys', () => {
    const nested = JSON.parse('{"__proto__": {"id": 1}, "a": 1}');
    const other = JSON.parse('{"__proto__": {"id": 2}, "a": 1}');
    expect(accepts(at('b', { ignore: true }), nested, other)).toBe(false);
    expect(accepts(at('__proto__.id', { ignore: true }), nested, other)).toBe(true);
    expect(accepts(at('b', { ignore: true }), {}, { toString: 1 })).toBe(false);
    expect(createComparison({ matchers: {} }).same({ name: 'toString', args: {} }, { name: 'toString' })).toBe(true);
  });
});

test('undefined matchers are ignored', () => {
  const matchers: Matchers = { other: undefined, t: { a: undefined, b: { ignore: true, pattern: undefined } } };
  expect(checkMatchers(matchers)).toEqual([]);
  expect(accepts(matchers, { a: 1, b: 1 }, { a: 1, b: 2 })).toBe(true);
  expect(accepts(matchers, { a: 1, b: 1 }, { a: 2, b: 1 })).toBe(false);
});

test('checkMatchers() names each mistake with its path', () => {
  const matchers: Matchers = {
    t: {
      'a..b': { ignore: true },
      p: { pattern: '(?=a)' },
      big: { pattern: '((a{1,1000}){1,1000}){1,1000}' },
      none: {},
      two: { tolerance: 1, shape: 'date' },
      low: { tolerance: -1 },
      nan: { tolerance: Number.NaN },
      empty: { oneOf: [] },
      fine: { ignore: true },
    },
  };
  expect(checkMatchers(matchers).map(({ path }) => path.join(' '))).toEqual([
    't a..b',
    't p pattern',
    't big pattern',
    't none',
    't two',
    't low tolerance',
    't nan tolerance',
    't empty oneOf',
  ]);
  expect(checkMatchers(matchers)[1]!.message).toMatch(/RE2/);
  expect(() => compileMatchers(matchers)).toThrow(
    new TypeError(`matchers.t.a..b: ${checkMatchers(matchers)[0]!.message}`),
  );
});

const leaf = fc.constantFrom<unknown>(null, true, 0, 1, 5, 'a', '2026-05-01', '2026-05-02');
const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('value'), { maxKeys: 2 }),
  ),
}));
const args = fc.dictionary(fc.constantFrom('a', 'b', 'c'), json, { maxKeys: 3 });
const matcher = fc.constantFrom<Matcher>(
  { ignore: true },
  { partial: true },
  { oneOf: [1, 'a'] },
  { pattern: 'a*' },
  { tolerance: 1 },
  { shape: 'date' },
);
const paths = fc.constantFrom('a', 'b', 'a.b', 'a[0]', '[*]', 'b[*].a', '$');
const matchersOfT = fc
  .dictionary(paths, matcher, { minKeys: 1, maxKeys: 3 })
  .map((byPath): Matchers => ({ t: byPath }));

test('findDifferences() without matchers is empty exactly for equal values', () => {
  fc.assert(
    fc.property(json, json, fc.constantFrom<Equality>('json', 'python'), (left, right, mode) => {
      expect(findDifferences(left, right, [], mode, 100).length === 0).toBe(equalValues(left, right, mode));
    }),
    { numRuns: runs(2000) },
  );
});

test('matchers only loosen the comparison, and additional matchers loosen it further', () => {
  fc.assert(
    fc.property(args, args, matchersOfT, matchersOfT, (expected, actual, some, more) => {
      expect(accepts(some, expected, expected)).toBe(true);
      if (equalValues(expected, actual, 'json')) expect(accepts(some, expected, actual)).toBe(true);
      if (accepts(some, expected, actual)) {
        expect(accepts({ '*': more.t!, t: some.t! }, expected, actual)).toBe(true);
      }
    }),
    { numRuns: runs(2000) },
  );
});

test('findDifferences() lists only real differences, and ignoring all of them accepts the call', () => {
  fc.assert(
    fc.property(args, args, (expected, actual) => {
      const found = findDifferences(expected, actual, [], 'json', 100);
      for (const { path, expected: left, actual: right } of found) {
        const value = (root: unknown) =>
          path.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step as string], root);
        expect(value(expected)).toEqual(left);
        expect(value(actual)).toEqual(right);
        expect(equalValues(left, right, 'json') && (left === undefined) === (right === undefined)).toBe(false);
      }
      const ignored = found.map(({ path }) => [formatValuePath(path), { ignore: true as const }]);
      expect(accepts({ t: Object.fromEntries(ignored) }, expected, actual)).toBe(true);
    }),
    { numRuns: runs(1000) },
  );
});
