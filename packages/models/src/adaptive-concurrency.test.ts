import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { openAdaptiveConcurrency } from './adaptive-concurrency.ts';

it('the adaptive limit halves once for all calls of an epoch', () => {
  const concurrency = openAdaptiveConcurrency(8);
  const epoch = concurrency.epoch();
  expect([1, 2, 3].map(() => concurrency.slowDown(epoch))).toEqual([true, false, false]);
  expect(concurrency.limit()).toBe(4);
  expect(concurrency.slowDown(concurrency.epoch())).toBe(true);
  expect(concurrency.limit()).toBe(2);
});

it('the adaptive limit grows by one with each round of answers, up to the maximum', () => {
  const concurrency = openAdaptiveConcurrency(4);
  concurrency.slowDown(concurrency.epoch());
  expect([1, 2, 3, 4, 5, 6].map(() => concurrency.speedUp())).toEqual([false, true, false, false, true, false]);
  expect(concurrency.limit()).toBe(4);
});

it('the adaptive limit does not count answers to calls that started before it was halved', () => {
  const concurrency = openAdaptiveConcurrency(4);
  concurrency.slowDown(concurrency.epoch());
  concurrency.speedUp();
  concurrency.slowDown(concurrency.epoch());
  expect(concurrency.limit()).toBe(1);
  expect(concurrency.slowDown(concurrency.epoch())).toBe(false);
  expect(concurrency.speedUp()).toBe(true);
  expect(concurrency.limit()).toBe(2);
});

it('the adaptive limit stays between one and the maximum', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.array(fc.boolean()), (most, busy) => {
      const concurrency = openAdaptiveConcurrency(most);
      for (const isBusy of busy) {
        const before = concurrency.limit();
        const changed = isBusy ? concurrency.slowDown(concurrency.epoch()) : concurrency.speedUp();
        expect(concurrency.limit() !== before).toBe(changed);
        expect(concurrency.limit()).toBeGreaterThanOrEqual(1);
        expect(concurrency.limit()).toBeLessThanOrEqual(most);
      }
    }),
    { numRuns: runs(500) },
  );
});
