import { expect, it } from 'vitest';
import { formatShare } from './format-number.ts';

it('rounds, but shows only a full share as 100 % and only an empty one as 0 %', () => {
  expect([1, 0, 2 / 3, 0.99999, 0.07, 0.00001].map((share) => formatShare(share))).toEqual([
    ...['100 %', '0 %', '66.7 %', '99.999 %', '7 %', '0.001 %'],
  ]);
});

it('never shows a share below the required one as equal to it', () => {
  expect(formatShare(0.79999, 0.8)).toBe('79.999 %');
  expect(formatShare(0.79999)).toBe('80 %');
});
