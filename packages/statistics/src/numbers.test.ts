import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import {
  betaInc,
  betaQuantile,
  logBeta,
  logGamma,
  normalCdf,
  normalQuantile,
  studentTCdf,
  studentTQuantile,
} from './index.ts';

// Single values are checked by test/golden-rows; these are properties that hold for all numbers.

const probability = fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true });
const parameter = fc.oneof(fc.double({ min: 0.1, max: 50, noNaN: true }), fc.integer({ min: 1, max: 20_000 }));
const many = { numRuns: runs(1000) };

function expectNear(actual: number, expected: number, relative: number) {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(relative * Math.abs(expected));
}

describe('quantile functions invert distribution functions', () => {
  it('for the normal distribution', () => {
    fc.assert(
      fc.property(probability, (p) => expectNear(normalCdf(normalQuantile(p)), p, 1e-11)),
      many,
    );
  });

  it("for Student's t", () => {
    fc.assert(
      fc.property(probability, parameter, (p, df) => expectNear(studentTCdf(studentTQuantile(p, df), df), p, 1e-10)),
      many,
    );
  });

  it('for the beta distribution, as far as doubles allow', () => {
    fc.assert(
      fc.property(probability, parameter, parameter, (p, a, b) => {
        const x = betaQuantile(p, a, b);
        const [below, above] = [
          betaInc(Math.max(0, x * (1 - 1e-12)), a, b),
          betaInc(Math.min(1, x * (1 + 1e-12)), a, b),
        ];
        expect(below).toBeLessThanOrEqual(p * (1 + 1e-9));
        expect(above).toBeGreaterThanOrEqual(p * (1 - 1e-9));
      }),
      many,
    );
  });
});

describe('distribution functions', () => {
  it('increase from 0 to 1', () => {
    const z = fc.double({ min: -40, max: 40, noNaN: true });
    fc.assert(
      fc.property(z, z, parameter, (one, other, df) => {
        const [low, high] = one < other ? [one, other] : [other, one];
        for (const at of [normalCdf, (value: number) => studentTCdf(value, df)]) {
          expect(at(low)).toBeGreaterThanOrEqual(0);
          expect(at(high)).toBeLessThanOrEqual(1);
          expect(at(low)).toBeLessThanOrEqual(at(high) * (1 + 1e-12));
        }
      }),
      many,
    );
  });

  it('are symmetric if the tails are swapped', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1023 }), parameter, parameter, (part, a, b) => {
        const x = part / 1024;
        expect(normalQuantile(x)).toBeCloseTo(-normalQuantile(1 - x), 13);
        expect(betaInc(x, a, b)).toBeCloseTo(1 - betaInc(1 - x, b, a), 11);
      }),
      many,
    );
  });

  it('are accurate near the limits of doubles', () => {
    expectNear(studentTQuantile(1e-300, 1), -1 / (Math.PI * 1e-300), 1e-12);
    expectNear(normalCdf(normalQuantile(1e-300)), 1e-300, 1e-11);
    expect(studentTQuantile(0, 3)).toBe(-Infinity);
    expect(normalQuantile(1)).toBe(Infinity);
    expect(betaQuantile(0.5, 1e8, 1e8)).toBeCloseTo(0.5, 14);
  });
});

it('the gamma and beta functions satisfy their recurrences', () => {
  fc.assert(
    fc.property(parameter, parameter, (x, y) => {
      const scale = Math.abs(logGamma(x + 1)) + Math.abs(Math.log(x)) + 1;
      expect(Math.abs(logGamma(x + 1) - logGamma(x) - Math.log(x))).toBeLessThan(1e-13 * scale);
      // B(x + 1, y) = B(x, y) x / (x + y)
      const ratio = logBeta(x + 1, y) - logBeta(x, y) - Math.log(x / (x + y));
      expect(Math.abs(ratio)).toBeLessThan(1e-13 * (Math.abs(logBeta(x, y)) + 1));
    }),
    many,
  );
});
