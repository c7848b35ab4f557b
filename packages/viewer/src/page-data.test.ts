import { describe, expect, it } from 'vitest';
import { isBase64 } from './page-data.ts';

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
