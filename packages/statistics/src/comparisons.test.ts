import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import {
  benjaminiHochberg,
  fisherExact,
  isUnknown,
  mcnemarExact,
  signFlipDraws,
  signFlipExact,
  signFlipTest,
  type Unknown,
  wilcoxonSignedRankExact,
} from './index.ts';

const many = { numRuns: runs(500) };
/** Differences of means over five repeats, so that ties and zeros are frequent. */
const difference = fc.integer({ min: -5, max: 5 }).map((fifths) => fifths / 5);
const differences = fc.array(difference, { minLength: 1, maxLength: 14 });
const count = fc.integer({ min: 0, max: 60 });

function known<Result>(result: Result | Unknown): Result {
  if (isUnknown(result)) throw new Error(result.unknown);
  return result;
}

describe('sign-flip tests', () => {
  it('count the same assignments of signs as a full enumeration', () => {
    fc.assert(
      fc.property(fc.array(difference, { minLength: 1, maxLength: 9 }), (values) => {
        const observed = Math.abs(values.reduce((sum, value) => sum + value, 0));
        let hits = 0;
        for (let signs = 0; signs < 2 ** values.length; signs++) {
          const sum = values.reduce((total, value, index) => total + ((signs >> index) & 1 ? value : -value), 0);
          if (Math.abs(sum) >= observed - 1e-9) hits += 1;
        }
        expect(known(signFlipExact(values)).p).toBe(hits / 2 ** values.length);
      }),
      many,
    );
  });

  it.each([
    ['exactly', signFlipExact],
    ['by draws', (values: readonly number[]) => signFlipDraws(values, { draws: 99 })],
  ] as const)('%s: p does not depend on the order of cases or the direction', (_, test) => {
    fc.assert(
      fc.property(differences, (values) => {
        const { p } = known(test(values));
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(known(test(values.toSorted())).p).toBe(p);
        expect(known(test(values.map((value) => -value))).p).toBe(p);
        expect(known(test([...values, 0, 0])).p).toBe(p);
      }),
      many,
    );
  });

  it('with random draws approximate the exact p-value, and never give 0', () => {
    const values = Array.from({ length: 16 }, (_, index) => (index % 5 === 0 ? -0.2 : 0.1 + index / 100));
    const exact = known(signFlipExact(values)).p;
    const drawn = [1, 2, 3].map((seed) => known(signFlipDraws(values, { seed })).p);
    for (const p of drawn) expect(Math.abs(p - exact)).toBeLessThan(5 * Math.sqrt(exact / 9999));
    expect(new Set(drawn).size).toBeGreaterThan(1);
    expect(known(signFlipDraws(new Array<number>(100).fill(1))).p).toBe(1 / 10_000);
  });

  it('are exact for up to 16 non-zero differences, and use random draws for more', () => {
    const of = (length: number) => Array.from({ length }, (_, index) => (index % 3 === 0 ? -0.1 : 0.2));
    const zeros = new Array<number>(50).fill(0);
    expect(signFlipTest([...of(16), ...zeros])).toEqual(signFlipExact([...of(16), ...zeros]));
    expect(signFlipTest(of(17), { seed: 4 })).toEqual(signFlipDraws(of(17), { seed: 4 }));
    // 2^40 assignments, without trying each one.
    expect(known(signFlipExact(new Array<number>(40).fill(0.1))).p).toBe(2 / 2 ** 40);
    expect(() => signFlipExact(of(41))).toThrow('Use signFlipDraws');
  });

  it('with random draws include every group of differences', () => {
    // 1,003 equal differences: the sum reaches 201 if at least 602 have the same sign.
    const values = Array.from({ length: 1003 }, (_, index) => (index < 602 ? 1 : -1));
    expect(known(signFlipDraws(values, { draws: 999 })).p).toBe(1 / 1000);
    const balanced = Array.from({ length: 1003 }, (_, index) => (index < 502 ? 1 : -1));
    expect(known(signFlipDraws(balanced, { draws: 999 })).p).toBe(1);
  });
});

describe('p-values', () => {
  it('lie between 0 and 1 and do not depend on which side comes first', () => {
    fc.assert(
      fc.property(count, count, count, count, (a, b, c, d) => {
        const p = mcnemarExact(b, c);
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(mcnemarExact(c, b)).toBe(p);
        const found = fisherExact([
          [a, b],
          [c, d],
        ]);
        if (isUnknown(found)) return;
        expect(found).toBeGreaterThanOrEqual(0);
        expect(found).toBeLessThanOrEqual(1);
        expect(
          known(
            fisherExact([
              [c, d],
              [a, b],
            ]),
          ),
        ).toBeCloseTo(found, 10);
        expect(
          known(
            fisherExact([
              [b, a],
              [d, c],
            ]),
          ),
        ).toBeCloseTo(found, 10);
        // The observed table belongs to both sides.
        const [greater, less] = (['greater', 'less'] as const).map((side) =>
          known(
            fisherExact(
              [
                [a, b],
                [c, d],
              ],
              side,
            ),
          ),
        );
        expect(greater! + less!).toBeGreaterThanOrEqual(1 - 1e-12);
      }),
      many,
    );
  });

  it('decrease as one side wins more often', () => {
    for (let won = 6; won < 40; won++) expect(mcnemarExact(won + 1, 5)).toBeLessThan(mcnemarExact(won, 5));
  });

  it('of signed-rank tests do not depend on the order, and mirror each other', () => {
    const distinct = fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(distinct, fc.nat(), (magnitudes, signs) => {
        const values = magnitudes.map((value, index) => ((signs >> (index % 30)) & 1 ? value : -value));
        const { p } = known(wilcoxonSignedRankExact(values));
        expect(known(wilcoxonSignedRankExact(values.toReversed())).p).toBe(p);
        const negative = values.map((value) => -value);
        expect(known(wilcoxonSignedRankExact(negative)).p).toBeCloseTo(p, 12);
        expect(known(wilcoxonSignedRankExact(negative, 'less')).p).toBeCloseTo(
          known(wilcoxonSignedRankExact(values, 'greater')).p,
          12,
        );
      }),
      many,
    );
  });

  it('keep their order when corrected, and never become smaller', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 }), (p) => {
        const adjusted = benjaminiHochberg(p);
        const order = [...p.keys()].sort((one, other) => p[one]! - p[other]!);
        for (const [rank, index] of order.entries()) {
          expect(adjusted[index]).toBeGreaterThanOrEqual(p[index]!);
          expect(adjusted[index]).toBeLessThanOrEqual(1);
          if (rank > 0) expect(adjusted[index]).toBeGreaterThanOrEqual(adjusted[order[rank - 1]!]!);
        }
        expect(benjaminiHochberg(p.toReversed())).toEqual(adjusted.toReversed());
      }),
      many,
    );
  });
});
