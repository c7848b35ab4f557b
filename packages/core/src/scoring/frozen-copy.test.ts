import { expect, it } from 'vitest';
import { frozenCopy, frozenInPlace } from './frozen-copy.ts';

const nested = () => ({ list: [{ text: 'a' }], state: { deep: { deeper: [] } } });

function partsOf(value: object): object[] {
  return [value, ...Object.values(value).flatMap((item) => (typeof item === 'object' ? partsOf(item) : []))];
}

it("copies the caller's value, and deep-freezes the copy", () => {
  const value = nested();
  const copy = frozenCopy(value);
  expect(copy).toEqual(value);
  expect(partsOf(copy).every(Object.isFrozen)).toBe(true);
  expect(partsOf(value).some(Object.isFrozen)).toBe(false);
});

it('deep-freezes a value in place', () => {
  const value = nested();
  expect(frozenInPlace(value)).toBe(value);
  expect(value).toEqual(nested());
  expect(partsOf(value).every(Object.isFrozen)).toBe(true);
});

it('rejects a value nested too deeply for the stack', () => {
  let value: object = {};
  for (let depth = 0; depth < 200_000; depth++) value = { value };
  expect(() => frozenCopy(value)).toThrow(RangeError);
  expect(() => frozenInPlace(value)).toThrow(RangeError);
});
