import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../../../test/binary-text.ts';
import { copyJson, isPlainJson, keepJson } from './copy-json.ts';

it('copyJson() makes a deep copy of JSON', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value: unknown = JSON.parse(text);
      const copy = copyJson(value);
      expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
      if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value);
    }),
  );
});

it('copyJson() copies the key __proto__ without setting the prototype', () => {
  const copy = copyJson(JSON.parse('{"__proto__":{"polluted":true}}'));
  expect(Object.keys(copy)).toEqual(['__proto__']);
  expect(copy.polluted).toBeUndefined();
});

it('isPlainJson() is true only for values that survive a JSON round trip', () => {
  const value = fc.anything({ withSparseArray: true, withDate: true, withMap: true, withBigInt: true });
  fc.assert(
    fc.property(value, (anything) => {
      if (isPlainJson(anything)) expect(JSON.parse(JSON.stringify(anything))).toEqual(anything);
    }),
  );
});

it('isPlainJson() is true for all parsed JSON except -0', () => {
  fc.assert(fc.property(fc.json({ maxDepth: 5 }), (text) => isPlainJson(JSON.parse(text)) || text.includes('-0')));
  expect(isPlainJson(-0)).toBe(false);
});

it('isPlainJson() and copyJson() agree with a JSON round trip, which drops undefined keys', () => {
  fc.assert(
    fc.property(fc.anything(), (anything) => {
      if (isPlainJson(anything)) expect(copyJson(anything)).toStrictEqual(JSON.parse(JSON.stringify(anything)));
    }),
  );
  expect(isPlainJson({ a: undefined, b: [{ c: undefined }] })).toBe(true);
  expect(copyJson({ a: undefined, b: [{ c: undefined }] })).toStrictEqual({ b: [{}] });
});

class WithToJson {
  toJSON(): number {
    return 1;
  }
}

it.each<[string, unknown]>([
  ['a method toJSON', new WithToJson()],
  ['a key toJSON', { toJSON: () => 1 }],
  ['a hole', new Array(2)],
  ['undefined', undefined],
  ['undefined in a list', [undefined]],
  ['an object of a class', new (class Thing {})()],
  ['a date', new Date(0)],
  ['a boxed text', Object('x')],
])('isPlainJson() is false for %s', (_what, value) => {
  expect(isPlainJson(value)).toBe(false);
});

it('isPlainJson() gives up on circular and very large values', () => {
  const self: unknown[] = [];
  self.push(self);
  expect(isPlainJson(self)).toBe(false);
  let twice: unknown = 1;
  for (let level = 0; level < 40; level++) twice = [twice, twice];
  expect(isPlainJson(twice)).toBe(false);
});

const keep = (value: unknown) => keepJson(value, 'the answer');
class Money {
  readonly #cents = 5;
  get cents(): number {
    return this.#cents;
  }
}
const self: Record<string, unknown> = { a: {} };
Object.assign(self.a as object, { list: [self] });

describe('keepJson()', () => {
  it.each<[string, unknown, string]>([
    ['NaN', { calls: [{ args: { n: Number.NaN } }] }, 'calls[0].args.n is NaN'],
    ['an infinity', [1, [Number.NEGATIVE_INFINITY]], '[1][0] is -Infinity'],
    ['a number of JSON that is too large', JSON.parse('{"n":1e400}'), 'n is Infinity'],
    ['a bigint', { 'odd key': 12n }, '["odd key"] is the bigint 12n'],
    ['a function', { a: () => 1 }, 'a is a function'],
    ['a symbol', { a: Symbol('x') }, 'a is a symbol'],
    ['undefined in a list', { a: [1, undefined] }, 'a[1] is undefined'],
    ['a hole', { a: new Array(1) }, 'a[0] is undefined'],
    ['nothing at all', undefined, 'it is undefined'],
    ['an invalid date', { at: new Date(Number.NaN) }, 'at is an invalid date'],
    ['a Map', { a: new Map([['x', 1]]) }, 'a is an instance of Map'],
    ['a Set', { a: new Set([1]) }, 'a is an instance of Set'],
    ['an Error', { a: new TypeError('no') }, 'a is an instance of TypeError'],
    ['bytes', { a: new Uint8Array(2) }, 'a is an instance of Uint8Array'],
    ['a boxed number', { a: Object(Number.NaN) }, 'a is an instance of Number'],
    ['an instance of a class', { a: new Money() }, 'a is an instance of Money'],
    ['a promise', { a: Promise.resolve(1) }, 'a is an instance of Promise'],
    ['a toJSON that gives nothing', { a: { toJSON: () => undefined } }, 'a is an instance of Object whose toJSON'],
    ['a toJSON that gives what JSON loses', { a: { toJSON: () => [Number.NaN] } }, 'a[0] is NaN'],
    ['a circular value', self, 'a.list[0] is a circular value'],
    [
      'a getter that throws',
      {
        get a() {
          throw new Error('not now');
        },
      },
      'not now',
    ],
  ])('rejects %s', (_what, value, told) => {
    expect(() => keep(value)).toThrow(`the answer cannot be saved as JSON: ${told}`);
  });

  it('copies values that JSON can represent', () => {
    const shared = { x: 1 };
    const from = {
      at: new Date(0),
      url: new URL('http://127.0.0.1/x'),
      absent: undefined,
      zero: -0,
      twice: [shared, shared],
      bare: Object.assign(Object.create(null), { y: 2 }),
      other: runInNewContext('({ list: [1, { z: null }] })'),
    };
    expect(keep(from)).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      url: 'http://127.0.0.1/x',
      zero: 0,
      twice: [shared, shared],
      bare: { y: 2 },
      other: { list: [1, { z: null }] },
    });
    expect(Object.keys(keep(from) as object)).not.toContain('absent');
  });

  it('either copies a value completely or rejects it', () => {
    const anything = fc.anything({
      withSparseArray: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withBigInt: true,
      withTypedArray: true,
      withBoxedValues: true,
      withNullPrototype: true,
      stringUnit: codePoint,
    });
    fc.assert(
      fc.property(anything, (value) => {
        let kept: unknown;
        try {
          kept = keep(value);
        } catch (error) {
          expect(error).toMatchObject({ code: 'AGENT_FAILED' });
          return;
        }
        expect(kept).toEqual(withDatesAsText(value));
      }),
    );
  });
});

/** The only permitted difference, apart from -0. */
function withDatesAsText(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Object.is(value, -0)) return 0;
  if (Array.isArray(value)) return value.map(withDatesAsText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withDatesAsText(item)]));
}
