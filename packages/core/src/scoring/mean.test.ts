import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactMean, exactMeanWith, sumMean } from './mean.ts';

describe('exactMean', () => {
  it('rounds only once, unlike a running sum', () => {
    expect(exactMean([0.1, 0.2, 0.3])).toBe(0.2);
    expect(sumMean([0.1, 0.2, 0.3])).toBe(0.20000000000000004);
  });

  it('is correct even if the sum overflows or underflows', () => {
    expect(exactMean([1e308, 1e308])).toBe(1e308);
    expect(exactMean([Number.MAX_VALUE, Number.MAX_VALUE, Number.MAX_VALUE])).toBe(Number.MAX_VALUE);
    expect(exactMean([5e-324, 5e-324])).toBe(5e-324);
    expect(exactMean([5e-324, 0])).toBe(0); // a tie, rounded to even
    expect(exactMean([1e308, -1e308, 3])).toBe(1);
  });

  it('exactMeanWith equals exactMean with the repeated value listed that many times', () => {
    const value = fc.oneof(
      fc.double({ min: -1e300, max: 1e300, noNaN: true }),
      fc.double({ min: -1e-307, max: 1e-307, noNaN: true }),
      fc.constantFrom(0, 0.1, 0.25, 1, 2 ** 53),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 6 }), value, fc.integer({ min: 1, max: 9 }), (values, more, times) => {
        expect(exactMeanWith(values, more, times)).toBe(exactMean([...values, ...Array(times).fill(more)]));
      }),
    );
  });

  it('is infinite if a value is infinite, and NaN without values', () => {
    expect(exactMean([1, Number.POSITIVE_INFINITY])).toBe(Number.POSITIVE_INFINITY);
    expect(exactMean([])).toBeNaN();
  });

  it('does not depend on order, lies between the extremes and never falls when a value rises', () => {
    const value = fc.double({ min: -1e300, max: 1e300, noNaN: true });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 8 }), value, (values, other) => {
        const mean = exactMean(values);
        expect(exactMean(values.toReversed())).toBe(mean);
        expect(mean).toBeGreaterThanOrEqual(Math.min(...values));
        expect(mean).toBeLessThanOrEqual(Math.max(...values));
        const raised = [Math.max(values[0] ?? 0, other), ...values.slice(1)];
        expect(exactMean(raised)).toBeGreaterThanOrEqual(mean);
      }),
    );
  });
});
