import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { base64Size, isBase64 } from './base64.ts';

describe('isBase64()', () => {
  it.each([
    ['AA==', true],
    ['AAA=', true],
    ['-_+/', true],
    ['', false],
    ['==', false],
    ['AA===', false],
    ['A=A', false],
    ['<b>', false],
  ])('of %j is %j', (text, expected) => {
    expect(isBase64(text)).toBe(expected);
  });

  it('reads many megabytes, and finds a wrong character anywhere in them', () => {
    const text = 'A'.repeat(16_000_000);
    expect(isBase64(`${text}==`)).toBe(true);
    expect(isBase64(`${text}<A==`)).toBe(false);
  });
});

it('base64Size() is the number of bytes that a string encodes', () => {
  for (const size of [0, 1, 2, 3, 4, 1000]) {
    const bytes = Buffer.alloc(size, 7);
    expect(base64Size(bytes.toString('base64'))).toBe(size);
    expect(base64Size(bytes.toString('base64url'))).toBe(size);
  }
});
