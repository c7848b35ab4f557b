import fc from 'fast-check';
import { expect, it } from 'vitest';
import { copyJson } from './copy-json.ts';
import { isPlainJson } from './plain-json.ts';

it('is true only for what JSON gives back', () => {
  const value = fc.anything({ withSparseArray: true, withDate: true, withMap: true, withBigInt: true });
  fc.assert(
    fc.property(value, (anything) => {
      if (isPlainJson(anything)) expect(JSON.parse(JSON.stringify(anything))).toEqual(anything);
    }),
  );
});

it('is true for whatever was read from JSON, but for -0, which JSON cannot keep', () => {
  fc.assert(fc.property(fc.json({ maxDepth: 5 }), (text) => isPlainJson(JSON.parse(text)) || text.includes('-0')));
  expect(isPlainJson(-0)).toBe(false);
});

it('and its copy are what JSON gives back, keys that hold undefined left out', () => {
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
])('is false for %s', (_what, value) => {
  expect(isPlainJson(value)).toBe(false);
});

it('looks neither through what holds itself nor through what holds one thing very often', () => {
  const self: unknown[] = [];
  self.push(self);
  expect(isPlainJson(self)).toBe(false);
  let twice: unknown = 1;
  for (let level = 0; level < 40; level++) twice = [twice, twice];
  expect(isPlainJson(twice)).toBe(false);
});
