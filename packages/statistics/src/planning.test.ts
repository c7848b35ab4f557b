import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import {
  betaMixtureLogE,
  betaMixtureSequence,
  isUnknown,
  mdePaired,
  mdeUnpaired,
  repeatsPaired,
  sampleSizePaired,
  sampleSizeRate,
  sampleSizeUnpaired,
  sprt,
  type Unknown,
} from './index.ts';

const many = { numRuns: runs(500) };
const variance = fc.double({ min: 0.001, max: 1, noNaN: true });
const repeats = fc.integer({ min: 1, max: 20 });
const cases = fc.integer({ min: 1, max: 1000 });

function known<Result>(result: Result | Unknown): Result {
  if (isUnknown(result)) throw new Error(result.unknown);
  return result;
}

describe('planning', () => {
  it('the required number of cases inverts the detectable difference', () => {
    fc.assert(
      fc.property(variance, variance, repeats, cases, (between, within, r, n) => {
        const paired = { omega2: between, within, repeats: r };
        expect(known(sampleSizePaired({ ...paired, delta: known(mdePaired({ ...paired, cases: n })) })).cases).toBe(n);
        const unpaired = { between, within, repeats: r };
        expect(
          known(sampleSizeUnpaired({ ...unpaired, delta: known(mdeUnpaired({ ...unpaired, cases: n })) })).cases,
        ).toBe(n);
      }),
      many,
    );
  });

  it('the required number of repeats inverts the detectable difference', () => {
    fc.assert(
      fc.property(variance, repeats, cases, (within, r, n) => {
        // If cases differ a lot, little room is left for repeats, and its last digits are lost.
        const plan = { omega2: within / 10, within, cases: n };
        const delta = known(mdePaired({ ...plan, repeats: r }));
        expect(known(repeatsPaired({ ...plan, delta })).raw).toBeCloseTo(r, 6);
      }),
      many,
    );
  });

  it('more cases or repeats detect smaller differences, until repeats no longer help', () => {
    fc.assert(
      fc.property(variance, variance, repeats, cases, (omega2, within, r, n) => {
        const at = (count: number, often: number) => known(mdePaired({ omega2, within, repeats: often, cases: count }));
        expect(at(n + 1, r)).toBeLessThan(at(n, r));
        expect(at(n, r + 1)).toBeLessThan(at(n, r));
        const delta = 0.99 * known(mdePaired({ omega2, within: 0, repeats: 1, cases: n }));
        expect(repeatsPaired({ omega2, within, cases: n, delta })).toEqual({
          unknown: 'no number of repeats is enough: add cases',
        });
      }),
      many,
    );
  });

  it('a rate near one half needs the most cases', () => {
    const needed = [0.5, 0.7, 0.9].map((rate) => known(sampleSizeRate(rate, 0.05)).n);
    expect(needed).toEqual([385, 323, 139]);
  });
});

describe('stopping early', () => {
  it('betaMixtureSequence() contains the rates that the evidence does not refute', () => {
    const passed = fc
      .integer({ min: 1, max: 200 })
      .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
    fc.assert(
      fc.property(passed, fc.double({ min: 0.001, max: 0.999, noNaN: true }), ([k, n], p) => {
        const { low, high } = betaMixtureSequence({ k, n });
        const margin = betaMixtureLogE({ k, n, p }) - Math.log(20);
        if (Math.abs(margin) > 1e-9) expect(low < p && p < high).toBe(margin < 0);
      }),
      many,
    );
  });

  it('a bet against the true rate is fair: its expected wealth is 1', () => {
    for (const [rate, n] of [
      [0.3, 10],
      [0.8, 25],
    ] as const) {
      let [wealth, ways] = [0, 1];
      for (let k = 0; k <= n; k++) {
        wealth += ways * rate ** k * (1 - rate) ** (n - k) * Math.exp(betaMixtureLogE({ k, n, p: rate }));
        ways *= (n - k) / (k + 1);
      }
      expect(wealth).toBeCloseTo(1, 12);
    }
  });

  it('sprt() decides the same if further outcomes are known', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1 }), { maxLength: 60 }), (outcomes) => {
        const plan = { p0: 0.6, p1: 0.9 };
        const found = sprt({ outcomes, ...plan });
        expect(sprt({ outcomes: outcomes.slice(0, found.n), ...plan })).toEqual(found);
        if (found.n > 0) expect(sprt({ outcomes: outcomes.slice(0, found.n - 1), ...plan }).decision).toBe('continue');
      }),
      many,
    );
  });
});
