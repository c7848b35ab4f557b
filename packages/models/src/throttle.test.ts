import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { openThrottle } from './throttle.ts';

it('halves once for all calls of an epoch', () => {
  const throttle = openThrottle(8);
  const epoch = throttle.epoch();
  expect([1, 2, 3].map(() => throttle.slowDown(epoch))).toEqual([true, false, false]);
  expect(throttle.limit()).toBe(4);
  expect(throttle.slowDown(throttle.epoch())).toBe(true);
  expect(throttle.limit()).toBe(2);
});

it('adds one for each round of answers, up to the most', () => {
  const throttle = openThrottle(4);
  throttle.slowDown(throttle.epoch());
  expect([1, 2, 3, 4, 5, 6].map(() => throttle.speedUp())).toEqual([false, true, false, false, true, false]);
  expect(throttle.limit()).toBe(4);
});

it('forgets the answers of a round in which the service was too busy', () => {
  const throttle = openThrottle(4);
  throttle.slowDown(throttle.epoch());
  throttle.speedUp();
  throttle.slowDown(throttle.epoch());
  expect(throttle.limit()).toBe(1);
  expect(throttle.slowDown(throttle.epoch())).toBe(false);
  expect(throttle.speedUp()).toBe(true);
  expect(throttle.limit()).toBe(2);
});

it('stays between one and the most, whatever happens', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.array(fc.boolean()), (most, busy) => {
      const throttle = openThrottle(most);
      for (const isBusy of busy) {
        const before = throttle.limit();
        const changed = isBusy ? throttle.slowDown(throttle.epoch()) : throttle.speedUp();
        expect(throttle.limit() !== before).toBe(changed);
        expect(throttle.limit()).toBeGreaterThanOrEqual(1);
        expect(throttle.limit()).toBeLessThanOrEqual(most);
      }
    }),
    { numRuns: runs(500) },
  );
});
