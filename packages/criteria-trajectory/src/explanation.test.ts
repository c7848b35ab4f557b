import { expect, it } from 'vitest';
import { hint } from './explanation.ts';

it('leaves out a hint that cannot be worked out', () => {
  expect(hint(() => 'a hint')).toBe('a hint');
  expect(
    hint(() => {
      throw new TypeError('no such matcher');
    }),
  ).toBeNull();
});
