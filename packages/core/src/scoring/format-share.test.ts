import { expect, it } from 'vitest';
import { formatShare } from './format-share.ts';

it('cuts, so that all but all is never 100 %', () => {
  expect([1, 0, 2 / 3, 0.99999].map(formatShare)).toEqual(['100 %', '0 %', '66.6 %', '99.9 %']);
});
