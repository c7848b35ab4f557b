import { parseInvocation } from '@agent-criteria/formats/parse';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toJson } from './to-json.ts';

const jsonValue = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('"__proto__":'));

describe('toJson()', () => {
  it('copies a value as JSON.stringify would', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        expect(toJson(value)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    const odd = {
      a: undefined,
      b: () => 1,
      c: Symbol('c'),
      d: Number.NaN,
      e: new Date(0),
      f: [undefined],
      g: 12n,
      h: -0,
    };
    expect(toJson(odd)).toEqual({
      b: '(left out: a function)',
      c: '(left out: a symbol)',
      d: '(left out: NaN)',
      e: '1970-01-01T00:00:00.000Z',
      f: ['(left out: undefined)'],
      g: '12',
      h: 0,
    });
    expect(toJson(undefined)).toBeNull();
  });

  it('renames the key __proto__', () => {
    const hostile = JSON.parse('{"a":[{"__proto__":{"polluted":1}}],"__proto__":null}');
    const copied = toJson(hostile);
    expect(copied).toEqual({ a: [{ '(renamed: __proto__)': { polluted: 1 } }], '(renamed: __proto__)': null });
    expect(() =>
      parseInvocation({
        userContent: { parts: [] },
        intermediateData: { toolUses: [{ name: 'find', args: copied }], toolResponses: [], intermediateResponses: [] },
      }),
    ).not.toThrow();
  });

  it('never turns other values into null or {}', () => {
    class Secret {
      readonly #value = 1;
      get value(): number {
        return this.#value;
      }
    }
    expect(
      toJson([
        ...[Number.NEGATIVE_INFINITY, new Map([[1, 2]]), new Set(), new Secret(), Promise.resolve()],
        ...[new Date(Number.NaN), new TypeError('no'), { toJSON: () => undefined }, new Array(1), { a: {}, b: null }],
      ]),
    ).toEqual([
      ...['(left out: -Infinity)', '(left out: an instance of Map)', '(left out: an instance of Set)'],
      ...['(left out: an instance of Secret)', '(left out: an instance of Promise)', '(left out: an instance of Date)'],
      ...[
        '(left out: TypeError: no)',
        '(left out: an instance of Object)',
        ['(left out: undefined)'],
        { a: {}, b: null },
      ],
    ]);
  });

  it('describes values that JSON cannot represent', () => {
    const cycle: { self?: unknown; twice?: unknown } = {};
    cycle.self = cycle;
    const shared = { x: 1 };
    expect(toJson(cycle)).toEqual({ self: '(left out: it is circular)' });
    expect(toJson([shared, shared])).toEqual([shared, shared]);
    const throwing = {
      get value() {
        throw new Error('not now');
      },
    };
    expect(toJson({ throwing })).toEqual({ throwing: '(left out: reading it failed: not now)' });
    expect(toJson({ bytes: new Uint8Array(3) })).toEqual({ bytes: '(left out: 3 bytes)' });
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(JSON.stringify(toJson(deep))).toContain('(left out: nested too deeply)');
  });

  it('does not change prototypes', () => {
    const copied = toJson(JSON.parse('{"__proto__": {"polluted": true}, "a": 1}')) as { polluted?: unknown };
    expect(copied.polluted).toBeUndefined();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('applies its limits and marks what was left out', () => {
    const limits = { text: 10, inlineData: 4, whole: 1000 };
    expect(toJson('0123456789', limits)).toBe('0123456789');
    expect(toJson('0123456789a', limits)).toBe('0123456789 (left out: the rest of 11 characters)');
    const image = { inlineData: { data: 'AAAAAAAA', mimeType: 'image/png' } };
    expect(toJson(image, { ...limits, text: 100 })).toEqual({
      inlineData: { data: '(left out: 8 characters of image/png)', mimeType: 'image/png' },
    });
    expect(
      toJson(
        Array.from({ length: 500 }, () => 1),
        limits,
      ),
    ).toBe('(left out: 1001 characters of JSON)');
  });
});
