import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import {
  holm,
  isUnknown,
  mcnemarExact,
  mcnemarMidP,
  type RepeatsOfTwoRuns,
  signFlipDraws,
  signFlipExact,
  type Unknown,
  withinCasePermutation,
} from './index.ts';

const many = { numRuns: runs(300) };

function known<Result>(result: Result | Unknown): Result {
  if (isUnknown(result)) throw new Error(result.unknown);
  return result;
}

/** Lists the sums of differences over every way to divide each case's values. */
function everySum(cases: readonly RepeatsOfTwoRuns[]): readonly number[] {
  let sums = [0];
  for (const { base, candidate } of cases) {
    const all = [...base, ...candidate];
    const own: number[] = [];
    for (let mask = 0; mask < 2 ** all.length; mask++) {
      const chosen = all.filter((_, index) => (mask >> index) & 1);
      if (chosen.length !== candidate.length) continue;
      const rest = all.filter((_, index) => !((mask >> index) & 1));
      const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
      own.push(mean(chosen) - mean(rest));
    }
    sums = sums.flatMap((sum) => own.map((one) => sum + one));
  }
  return sums;
}

function everyTail(cases: readonly RepeatsOfTwoRuns[], observed: number) {
  const sums = everySum(cases).map(Math.abs);
  const count = (fits: (sum: number) => boolean) => sums.filter(fits).length / sums.length;
  const p = count((sum) => sum >= observed - 1e-9);
  return { p, midP: (p + count((sum) => sum > observed + 1e-9)) / 2 };
}

const caseOf = (value: fc.Arbitrary<number>, most: number) => {
  const values = fc.array(value, { minLength: 1, maxLength: most });
  return fc.record({ base: values, candidate: values });
};

describe('withinCasePermutation()', () => {
  it('counts passes and failures like an enumeration of all divisions', () => {
    fc.assert(
      fc.property(fc.array(caseOf(fc.constantFrom(0, 1), 3), { minLength: 1, maxLength: 4 }), (cases) => {
        const found = known(withinCasePermutation(cases));
        const expected = everyTail(cases, Math.abs(found.mean * found.n));
        expect(found.p).toBeCloseTo(expected.p, 10);
        if (Math.abs(found.mean) > 1e-12) expect(found.midP).toBeCloseTo(expected.midP, 10);
      }),
      many,
    );
  });

  it('approximates an enumeration of all divisions for more than two distinct values', () => {
    const score = fc.integer({ min: 0, max: 7 }).map((sevenths) => sevenths / 7);
    fc.assert(
      fc.property(fc.array(caseOf(score, 3), { minLength: 1, maxLength: 3 }), (cases) => {
        const found = known(withinCasePermutation(cases));
        const expected = everyTail(cases, Math.abs(found.mean * found.n));
        expect(Math.abs(found.p - expected.p)).toBeLessThan(0.025);
      }),
      { numRuns: runs(40) },
    );
  });

  it('has the standard deviation over all divisions', () => {
    fc.assert(
      fc.property(fc.array(caseOf(fc.integer({ min: 0, max: 5 }), 3), { minLength: 1, maxLength: 3 }), (cases) => {
        const sums = everySum(cases);
        const variance = sums.reduce((all, sum) => all + sum ** 2, 0) / sums.length;
        expect(known(withinCasePermutation(cases)).sd).toBeCloseTo(Math.sqrt(variance) / cases.length, 10);
      }),
      many,
    );
  });

  it('gives nearly the same p with the exact and the normal distribution', () => {
    const cases = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        base: [1, 1, 0],
        candidate: index % 4 === 0 ? [0, 0, 0] : [1, 0, 1],
      }));
    const [exact, normal] = [49, 50].map((count) => known(withinCasePermutation(cases(count))).midP);
    expect(Math.abs(exact! - normal!)).toBeLessThan(0.004);
  });

  it('does not depend on the order of cases and repeats or, for equal numbers of repeats, on which run comes first', () => {
    const pair = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }));
    const some = fc.array(fc.array(pair, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(some, (all) => {
        const cases = all.map((own) => ({ base: own.map(([one]) => one), candidate: own.map(([, other]) => other) }));
        const { p } = known(withinCasePermutation(cases));
        const turned = cases.map(({ base, candidate }) => ({
          base: base.toReversed(),
          candidate: candidate.toReversed(),
        }));
        expect(known(withinCasePermutation(turned.toReversed())).p).toBe(p);
        const exchanged = cases.map(({ base, candidate }) => ({ base: candidate, candidate: base }));
        expect(known(withinCasePermutation(exchanged)).p).toBe(p);
      }),
      { numRuns: runs(20) },
    );
  });

  it('gives a p of 1 if nothing differs, and is unknown without cases', () => {
    expect(withinCasePermutation([{ base: [1, 1], candidate: [1, 1] }])).toMatchObject({
      mean: 0,
      sd: 0,
      p: 1,
      midP: 1,
    });
    expect(withinCasePermutation([])).toEqual({ unknown: 'there are no cases' });
    expect(() => withinCasePermutation([{ base: [], candidate: [1] }])).toThrow(/cases\[0\].base.length is 0/);
  });
});

describe('mid-p-values', () => {
  it('are smaller than the exact p by half the probability of the observed result', () => {
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);
    for (let n = 1; n <= 20; n++) {
      for (let b = 0; b <= n; b++) {
        if (2 * b === n) expect(mcnemarMidP(b, b)).toBe(1);
        else expect(mcnemarMidP(b, n - b)).toBeCloseTo(mcnemarExact(b, n - b) - choose(n, b) / 2 ** n, 12);
      }
    }
  });

  it("of sign-flip tests equal those of McNemar's test if all changes are the same size", () => {
    for (const [up, down] of [
      [6, 0],
      [1, 8],
      [2, 11],
    ] as const) {
      const differences = [...Array<number>(up).fill(0.5), ...Array<number>(down).fill(-0.5)];
      expect(known(signFlipExact(differences)).midP).toBeCloseTo(mcnemarMidP(up, down), 12);
      expect(known(signFlipDraws(differences)).midP).toBeCloseTo(mcnemarMidP(up, down), 1);
    }
  });
});

describe('holm()', () => {
  const probabilities = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });

  it('equals a table computed by hand', () => {
    expect(holm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
    expect(holm([0.01], 3)).toEqual([0.04]);
    expect(holm([])).toEqual([]);
  });

  it("keeps the order, never makes p smaller, and never exceeds Bonferroni's correction", () => {
    fc.assert(
      fc.property(probabilities, fc.integer({ min: 0, max: 5 }), (p, others) => {
        const adjusted = holm(p, others);
        const order = [...p.keys()].sort((one, other) => p[one]! - p[other]!);
        for (const [rank, index] of order.entries()) {
          expect(adjusted[index]).toBeGreaterThanOrEqual(p[index]!);
          if (rank > 0) expect(adjusted[index]).toBeGreaterThanOrEqual(adjusted[order[rank - 1]!]!);
        }
        expect(Math.min(1, ...adjusted)).toBe(Math.min(1, ...p.map((one) => Math.min(1, one * (p.length + others)))));
      }),
      many,
    );
  });
});
