import { createRandom } from '@agent-criteria/statistics';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { quantileInterval } from './quantile-interval.ts';

it('the median of 1 to 10 lies between the second and the ninth value', () => {
  const values = [3, 1, 2, 10, 9, 8, 7, 6, 5, 4];
  // P(at most 1 of 10 below the median) = 0.011, P(at most 8) = 0.989.
  expect(quantileInterval(values, 0.5)).toEqual({ value: 5, low: 2, high: 9 });
});

it('the 95% quantile is unknown with too few values, and known with as many as it asks for', () => {
  const values = (count: number) => Array.from({ length: count }, (_, index) => index);
  expect(quantileInterval(values(20), 0.95)).toEqual({ unknown: 'at least 72 cases are needed' });
  expect(quantileInterval(values(71), 0.95)).toHaveProperty('unknown');
  expect(quantileInterval(values(72), 0.95)).toMatchObject({ high: 71 });
});

it('the interval of a quantile contains the estimate, whatever the order of the values', () => {
  const values = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1, maxLength: 120 });
  fc.assert(
    fc.property(values, fc.double({ min: 0.05, max: 0.95, noNaN: true }), (list, q) => {
      const found = quantileInterval(list, q);
      expect(quantileInterval([...list].reverse(), q)).toEqual(found);
      if ('unknown' in found) return;
      expect(found.low).toBeLessThanOrEqual(found.value);
      expect(found.high).toBeGreaterThanOrEqual(found.value);
    }),
  );
});

it('the interval of a quantile contains the true quantile in at least 95 of 100 samples', () => {
  const random = createRandom(1);
  const chance = () => random() / 2 ** 32;
  const samples = 2000;
  let held = 0;
  for (let sample = 0; sample < samples; sample++) {
    const found = quantileInterval(Array.from({ length: 120 }, chance), 0.9);
    if (!('unknown' in found) && found.low <= 0.9 && found.high >= 0.9) held += 1;
  }
  expect(held / samples).toBeGreaterThanOrEqual(0.945);
});
