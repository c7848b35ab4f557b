import { expect, it } from 'vitest';
import { fingerprint, fnv1a } from './fingerprint.ts';

it.each([
  ['', 'cbf29ce484222325'],
  ['a', 'af63dc4c8601ec8c'],
  ['foobar', '85944171f73967e8'],
])('fnv1a() of %j equals the published test vector', (text, hash) => {
  expect(fnv1a(new TextEncoder().encode(text))).toBe(hash);
});

it('fnv1a() equals a calculation with 64-bit integers', () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, index) => (index * 37) % 256);
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) % 2n ** 64n;
  expect(fnv1a(bytes)).toBe(hash.toString(16).padStart(16, '0'));
});

it('fingerprint() depends on the value, but not on key order or undefined keys', () => {
  expect(fingerprint({ a: [1, { b: null, c: 'x' }], d: true })).toBe(
    fingerprint({ d: true, a: [1, { c: 'x', b: null }] }),
  );
  expect(fingerprint({ a: 1, b: undefined })).toBe(fingerprint({ a: 1 }));
  expect(fingerprint([1, 2])).not.toBe(fingerprint([2, 1]));
  expect(fingerprint({ a: '1' })).not.toBe(fingerprint({ a: 1 }));
});
