import { type Equality, equalValues } from '@agent-criteria/values';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { runs } from '../../../test/runs.ts';
import { hashString, structuralHash } from './structural-hash.ts';

const modes: readonly Equality[] = ['json', 'python'];
const parse = (text: string): unknown => JSON.parse(text);

// Values with few keys and few leaves, so that they often coincide.
const leaf = fc.constantFrom<unknown>(null, true, false, 0, -0, 1, 1.5, '', 'a', '1', 'true');
const { value: small } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'length', 'toString', '__proto__'), tie('value'), { maxKeys: 3 }),
  ),
}));

/** The definition, in the simplest code. */
function model(left: unknown, right: unknown, equality: Equality): boolean {
  const plain = (value: unknown): unknown => {
    if (typeof value === 'boolean') return equality === 'python' ? Number(value) : value;
    if (value === 0) return 0;
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    return {
      sorted: Object.entries(value)
        .map(([key, item]) => [key, plain(item)])
        .sort(([a], [b]) => (a! < b! ? -1 : 1)),
    };
  };
  return JSON.stringify(plain(left)) === JSON.stringify(plain(right));
}

describe('equalValues()', () => {
  test.each([
    ['{"a": 1, "b": 2}', '{"b": 2, "a": 1}', true, true],
    ['[1, 2]', '[2, 1]', false, false],
    ['1', '1.0', true, true],
    ['0', '-0.0', true, true],
    ['true', '1', false, true],
    ['[{"a": false}]', '[{"a": 0}]', false, true],
    ['true', '"true"', false, false],
    ['false', 'null', false, false],
    ['{"a": null}', '{}', false, false],
    ['[]', '{}', false, false],
    ['{"length": 0}', '[]', false, false],
    ['{"0": 1}', '[1]', false, false],
    ['{"__proto__": {"a": 1}}', '{"__proto__": {"a": 2}}', false, false],
    ['{"__proto__": {"a": 1}}', '{"a": 1}', false, false],
    ['{"__proto__": null}', '{}', false, false],
    ['{"toString": "x"}', '{"toString": "x"}', true, true],
    ['{"toString": "x"}', '{"valueOf": "x"}', false, false],
    ['{"constructor": {}}', '{"a": {}}', false, false],
    ['"caf\\u00e9"', '"cafe\\u0301"', false, false],
  ])("compares %s with %s: %s, and in Python's way: %s", (left, right, json, python) => {
    expect(equalValues(parse(left), parse(right), 'json')).toBe(json);
    expect(equalValues(parse(right), parse(left), 'json')).toBe(json);
    expect(equalValues(parse(left), parse(right), 'python')).toBe(python);
    expect(equalValues(parse(right), parse(left), 'python')).toBe(python);
  });

  test('treats a key whose value is undefined as absent', () => {
    expect(equalValues({ a: 1, b: undefined }, { a: 1 }, 'json')).toBe(true);
    expect(equalValues({ a: 1 }, { b: undefined, a: 1, c: undefined }, 'json')).toBe(true);
    expect(equalValues({ a: undefined, b: 1 }, { a: 1, b: undefined }, 'json')).toBe(false);
    expect(equalValues({ a: undefined }, { b: null }, 'json')).toBe(false);
    expect(equalValues([undefined], [null], 'json')).toBe(true);
  });

  test('agrees with its definition', () => {
    fc.assert(
      fc.property(small, small, fc.constantFrom(...modes), (left, right, mode) => {
        expect(equalValues(left, right, mode)).toBe(model(left, right, mode));
        expect(equalValues(left, structuredClone(left), mode)).toBe(true);
      }),
      { numRuns: runs(2000) },
    );
  });

  test('compares arguments nested 100,000 deep', () => {
    const deep = (end: string) => parse(`${'[{"a":'.repeat(50_000)}${end}${'}]'.repeat(50_000)}`);
    expect(equalValues(deep('1'), deep('1'), 'json')).toBe(true);
    expect(equalValues(deep('1'), deep('2'), 'json')).toBe(false);
    expect(structuralHash(deep('1'), 'json')).toBe(structuralHash(deep('1'), 'json'));
  });
});

describe('structuralHash()', () => {
  test('is the same for equal values', () => {
    fc.assert(
      fc.property(small, small, fc.constantFrom(...modes), (left, right, mode) => {
        if (equalValues(left, right, mode)) expect(structuralHash(left, mode)).toBe(structuralHash(right, mode));
      }),
      { numRuns: runs(5000) },
    );
    expect(structuralHash({ a: [true, -0], b: 'x', c: undefined }, 'python')).toBe(
      structuralHash({ b: 'x', a: [1, false] }, 'python'),
    );
  });

  test('differs for values with a single difference', () => {
    const values = [
      null,
      true,
      false,
      0,
      1,
      2,
      '',
      '0',
      '1',
      'a',
      [],
      [[]],
      [0],
      [1],
      [0, 0],
      {},
      { a: 0 },
      { b: 0 },
      { a: {} },
    ];
    const hashes = new Set(values.map((value) => structuralHash({ args: { value } }, 'json')));
    expect(hashes.size).toBe(values.length);
    const numbers = new Set(Array.from({ length: 10_000 }, (_, index) => structuralHash({ index }, 'json')));
    expect(numbers.size).toBeGreaterThan(9_990);
  });

  test('reads only a bounded part of a long string', () => {
    const long = 'x'.repeat(5_000_000);
    const taken = cpuTime();
    for (let index = 0; index < 1000; index++) hashString(long);
    expect(taken()).toBeLessThan(2_000);
    expect(hashString(`a${long}`)).not.toBe(hashString(`b${long}`));
    expect(hashString(`${long}a`)).not.toBe(hashString(`${long}b`));
  });
});
