import fc from 'fast-check';
import { expect, it } from 'vitest';
import { percentText } from './numbers.ts';

it('percentText() shows 0% for none and 100% for all, but never for any other share', () => {
  expect([0, 1, 0.995, 0.9995, 0.005, 0.0004, 0.93, 0.997].map(percentText)).toEqual([
    ...['0%', '100%', '99.5%', '>99.9%', '0.5%', '<0.1%', '93%', '99.7%'],
  ]);
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 100_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (of, at) => {
      const count = Math.min(1 + Math.floor(at * (of - 1)), of - 1);
      const text = percentText(count / of);
      expect(text).not.toMatch(/^(0|0\.0|100|100\.0)%$/);
      expect(Math.abs(Number(text.replace(/[<>%]/g, '')) - (count / of) * 100)).toBeLessThanOrEqual(0.51);
    }),
  );
});
