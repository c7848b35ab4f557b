import { expect, test } from 'vitest';
import { isNear } from './is-near.ts';

test.each([
  [1.1, 1, 0.1, true],
  [1.11, 1, 0.1, false],
  [0, 0, 0, true],
  [0.3, 0.1 + 0.2, 0, true],
  [1e300, -1e300, 1, false],
  [Number.NaN, 0, 1, false],
])('%d is within %d of %d: %s', (actual, expected, tolerance, near) => {
  expect(isNear(actual, expected, tolerance)).toBe(near);
});
