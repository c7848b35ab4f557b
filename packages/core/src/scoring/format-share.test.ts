import { expect, it } from 'vitest';
import { formatShare } from './format-number.ts';

it('rounds, but only all reads as 100 % and only nothing as 0 %', () => {
  expect([1, 0, 2 / 3, 0.99999, 0.07, 0.00001].map((share) => formatShare(share))).toEqual([
    ...['100 %', '0 %', '66.7 %', '99.999 %', '7 %', '0.001 %'],
  ]);
});

it('never reads as the least share that is wanted while it is below', () => {
  expect(formatShare(0.79999, 0.8)).toBe('79.999 %');
  expect(formatShare(0.79999)).toBe('80 %');
});
