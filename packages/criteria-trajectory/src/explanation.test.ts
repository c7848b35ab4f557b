import { expect, it } from 'vitest';
import { hint } from './explanation.ts';

it('hint() returns null if its callback throws', () => {
  expect(hint(() => 'a hint')).toBe('a hint');
  expect(
    hint(() => {
      throw new TypeError('no such matcher');
    }),
  ).toBeNull();
});
