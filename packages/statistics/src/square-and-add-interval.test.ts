import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clopperPearsonInterval } from './clopper-pearson-interval.ts';
import { jeffreysInterval } from './jeffreys-interval.ts';
import { squareAndAddInterval } from './square-and-add-interval.ts';
import { isUnknown } from './unknown.ts';

const first = (rates: readonly number[]) => rates[0] as number;

describe('squareAndAddInterval()', () => {
  it('gives an interval between Jeffreys’ and Clopper and Pearson’s for a single rate', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(60), (n, of) => {
        const k = Math.min(of, n);
        const [exact, jeffreys] = [clopperPearsonInterval(k, n), jeffreysInterval(k, n)];
        if (isUnknown(exact) || isUnknown(jeffreys)) throw new Error('it is unknown');
        const { value, low, high } = squareAndAddInterval([{ rate: k / n, n }], first);
        expect(value).toBe(k / n);
        expect(low).toBeGreaterThanOrEqual(exact.low - 1e-9);
        expect(low).toBeLessThanOrEqual(jeffreys.low + 1e-9);
        expect(high).toBeLessThanOrEqual(exact.high + 1e-9);
        expect(high).toBeGreaterThanOrEqual(jeffreys.high - 1e-9);
      }),
    );
  });

  it('adds the squares of distances, separately for each side', () => {
    const [a, b] = [
      { rate: 0.9, n: 20 },
      { rate: 0.4, n: 50 },
    ];
    const [ofA, ofB] = [squareAndAddInterval([a], first), squareAndAddInterval([b], first)];
    const { value, low, high } = squareAndAddInterval([a, b], ([x = 0, y = 0]) => x - y);
    expect(value).toBeCloseTo(0.5, 12);
    expect(value - low).toBeCloseTo(Math.hypot(0.9 - ofA.low, ofB.high - 0.4), 12);
    expect(high - value).toBeCloseTo(Math.hypot(ofA.high - 0.9, 0.4 - ofB.low), 12);
  });

  it('gives a narrower interval if some cases of a finite set are known, and one of zero width if all are', () => {
    const width = (unseen: number) => {
      const { low, high } = squareAndAddInterval([{ rate: 0.7, n: 50, unseen }], first);
      return high - low;
    };
    expect(width(0)).toBe(0);
    expect(width(0.25)).toBeCloseTo(width(1) / 2, 12);
  });

  it('rejects invalid rates and sizes', () => {
    expect(() => squareAndAddInterval([{ rate: 1.2, n: 5 }], first)).toThrow('rates[0].rate is 1.2');
    expect(() => squareAndAddInterval([{ rate: 0.2, n: 0 }], first)).toThrow('rates[0].n is 0');
    expect(() => squareAndAddInterval([{ rate: 0.2, n: 5, unseen: 2 }], first)).toThrow('rates[0].unseen is 2');
    expect(() => squareAndAddInterval([{ rate: 0.2, n: 5 }], first, 95)).toThrow('level is 95');
  });
});
