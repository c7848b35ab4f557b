import fc from 'fast-check';
import { expect, it } from 'vitest';
import { copyJson } from './copy-json.ts';

it('copies every JSON, and shares nothing with it', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value: unknown = JSON.parse(text);
      const copy = copyJson(value);
      expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
      if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value);
    }),
  );
});

it('keeps a key that is called __proto__ a key', () => {
  const copy = copyJson(JSON.parse('{"__proto__":{"polluted":true}}'));
  expect(Object.keys(copy)).toEqual(['__proto__']);
  expect(copy.polluted).toBeUndefined();
});
