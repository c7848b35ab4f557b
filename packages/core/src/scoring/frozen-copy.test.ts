import { expect, it } from 'vitest';
import { freezeJson, frozenCopy } from './frozen-copy.ts';

const nested = () => ({ list: [{ text: 'a' }], state: { deep: { deeper: [] } } });

function partsOf(value: object): object[] {
  return [value, ...Object.values(value).flatMap((item) => (typeof item === 'object' ? partsOf(item) : []))];
}

it('copies what belongs to the caller, and freezes the copy all the way down', () => {
  const value = nested();
  const copy = frozenCopy(value);
  expect(copy).toEqual(value);
  expect(partsOf(copy).every(Object.isFrozen)).toBe(true);
  expect(partsOf(value).some(Object.isFrozen)).toBe(false);
});

it('copies nothing that was frozen where it is', () => {
  const value = freezeJson(nested());
  expect(partsOf(value).every(Object.isFrozen)).toBe(true);
  expect(frozenCopy(value)).toBe(value);
  // Frozen by somebody else, perhaps not all the way down.
  const shallow = Object.freeze(nested());
  expect(frozenCopy(shallow)).not.toBe(shallow);
});

it('leaves alone what is too deep for the stack, which a copy then refuses', () => {
  let value: object = {};
  for (let depth = 0; depth < 200_000; depth++) value = { value };
  expect(freezeJson(value)).toBe(value);
  expect(() => frozenCopy(value)).toThrow(RangeError);
});
