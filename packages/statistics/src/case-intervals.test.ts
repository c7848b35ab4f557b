import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { coverageOf } from './__fixtures__/exactly.ts';
import {
  betaQuantile,
  boundedMeanInterval,
  caseRateInterval,
  clopperPearsonInterval,
  clusteredMeanInterval,
  clusterInterval,
  type Interval,
  isUnknown,
  rateInterval,
  tInterval,
  type Unknown,
  wilsonInterval,
} from './index.ts';
import { unseenInterval } from './unseen-interval.ts';

const many = { numRuns: runs(500) };
const width = ({ low, high }: Interval) => high - low;

function known<Result>(result: Result | Unknown): Result {
  if (isUnknown(result)) throw new Error(result.unknown);
  return result;
}

const counts = fc.integer({ min: 1, max: 400 }).chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));

describe('rateInterval', () => {
  it("contains Wilson's interval, and lies within the union of Wilson's and Clopper-Pearson's", () => {
    fc.assert(
      fc.property(counts, ([k, n]) => {
        const [found, wilson, exact] = [
          rateInterval(k / n, n),
          known(wilsonInterval(k, n)),
          known(clopperPearsonInterval(k, n)),
        ];
        expect(found.low).toBeLessThanOrEqual(wilson.low + 1e-12);
        expect(found.high).toBeGreaterThanOrEqual(wilson.high - 1e-12);
        expect(found.low).toBeGreaterThanOrEqual(Math.min(exact.low, wilson.low) - 1e-12);
        expect(found.high).toBeLessThanOrEqual(Math.max(exact.high, wilson.high) + 1e-12);
      }),
      many,
    );
  });

  it("covers the claimed share at any rate, even near 1, and is hardly wider than Wilson's", () => {
    for (const n of [3, 5, 9, 10, 15, 30, 100]) {
      const ends = Array.from({ length: n + 1 }, (_, k) => rateInterval(k / n, n));
      const covered = [];
      for (let rate = 0.3; rate < 0.9995; rate += 0.0037) covered.push(coverageOf((k) => ends[k]!, n, rate));
      expect(Math.min(...covered), `${n} cases`).toBeGreaterThan(n < 10 ? 93 : 92.6);
      const wide = (interval: (k: number) => Interval) =>
        Array.from({ length: n + 1 }, (_, k) => width(interval(k))).reduce((sum, own) => sum + own, 0);
      const ratio = wide((k) => rateInterval(k / n, n)) / wide((k) => known(wilsonInterval(k, n)));
      expect(ratio, `${n} cases`).toBeLessThan(n < 10 ? 1.15 : 1.07);
    }
  });

  it('is symmetric in passed and failed, and reaches exactly 0 and 1', () => {
    fc.assert(
      fc.property(counts, ([k, n]) => {
        const [found, mirrored] = [rateInterval(k / n, n), rateInterval(1 - k / n, n)];
        expect(mirrored.low).toBeCloseTo(1 - found.high, 9);
        if (k === 0) expect(found.low).toBe(0);
        if (k === n) expect(found.high).toBe(1);
      }),
      many,
    );
  });
});

describe('unseenInterval', () => {
  const once = (values: readonly number[]) => values.map((mean) => ({ size: 1, mean }));

  it("approximates Clopper-Pearson's interval for values of 0 and 1", () => {
    for (const n of [3, 10, 30, 100]) {
      for (let k = 0; k <= n; k += Math.ceil(n / 7)) {
        const found = unseenInterval(once(Array.from({ length: n }, (_, index) => (index < k ? 1 : 0))), 1, 0.95);
        const exact = known(clopperPearsonInterval(k, n));
        expect(Math.abs(found.low - exact.low)).toBeLessThan(0.003);
        expect(Math.abs(found.high - exact.high)).toBeLessThan(0.003);
      }
    }
  });

  it('is at least as wide as the closed form for equal values', () => {
    for (const [n, unseen] of [
      [3, 1],
      [3, 0.5],
      [10, 0.5],
      [100, 1],
    ] as const) {
      const found = unseenInterval(once(Array<number>(n).fill(0.9)), unseen, 0.95);
      const share = betaQuantile(0.975, unseen, n);
      expect(found.low).toBeLessThanOrEqual(0.9 * (1 - share));
      expect(found.low).toBeGreaterThan(0.9 * (1 - share) - 0.007);
      expect(found.high).toBeGreaterThanOrEqual(0.9 + 0.1 * share);
    }
  });
});

describe('boundedMeanInterval', () => {
  const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 });

  it('lies between 0 and 1, contains the mean, and has a width above 0 even if all scores are equal', () => {
    fc.assert(
      fc.property(scores, fc.boolean(), (values, equal) => {
        const all = equal ? values.map(() => values[0]!) : values;
        const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
        const { low, high } = known(boundedMeanInterval(all));
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(mean + 1e-9);
        expect(high).toBeGreaterThanOrEqual(mean - 1e-9);
        expect(high - low).toBeGreaterThan(0.001);
      }),
      many,
    );
  });

  it("is close to Student's interval for widely spread scores", () => {
    const values = Array.from({ length: 60 }, (_, index) => ((index * 37) % 61) / 60);
    expect(width(known(boundedMeanInterval(values))) / width(known(tInterval(values)))).toBeLessThan(1.02);
  });

  it('counts copies in one cluster as one score', () => {
    const values = [0.2, 0.9, 1, 1, 0.7, 1, 0.4, 1];
    const twice = known(boundedMeanInterval([...values, ...values], [...values.keys(), ...values.keys()]));
    const once = known(boundedMeanInterval(values));
    expect(twice.low).toBeCloseTo(once.low, 9);
    expect(twice.high).toBeCloseTo(once.high, 9);
  });
});

describe('caseRateInterval', () => {
  const cases = fc
    .integer({ min: 1, max: 6 })
    .chain((repeats) =>
      fc.tuple(fc.constant(repeats), fc.array(fc.integer({ min: 0, max: repeats }), { minLength: 1, maxLength: 30 })),
    );

  it('is never wider with repeats than with one run per case at the same rate, and equally wide for a perfect record', () => {
    fc.assert(
      fc.property(cases, ([repeats, passed]) => {
        const rates = passed.map((k) => k / repeats);
        const rate = Math.min(1, rates.reduce((sum, own) => sum + own, 0) / rates.length);
        const found = known(caseRateInterval({ rates, runs: repeats * rates.length }));
        expect(width(found)).toBeLessThanOrEqual(width(rateInterval(rate, rates.length)) + 1e-12);
        const perfect = { rates: rates.map(() => 1), runs: repeats * rates.length };
        expect(known(caseRateInterval(perfect))).toEqual(rateInterval(1, rates.length));
      }),
      many,
    );
  });

  it('counts a group of one case as one case, and a group of all cases as a single case', () => {
    const rates = [1, 0.5, 1, 1, 0, 1];
    const plain = caseRateInterval({ rates, runs: 12 });
    expect(caseRateInterval({ rates, runs: 12, clusters: [...rates.keys()] })).toEqual(plain);
    expect(caseRateInterval({ rates, runs: 12, clusters: rates.map(() => 'a') })).toEqual(rateInterval(0.75, 1));
  });

  it('counts groups that are all or nothing as one case each', () => {
    for (const size of [1, 5, 10]) {
      const rates = Array.from({ length: 10 * size }, (_, index) => (index < 8 * size ? 1 : 0));
      const clusters = rates.map((_, index) => Math.floor(index / size));
      const found = known(caseRateInterval({ rates, runs: rates.length, clusters }));
      expect(found.low).toBeLessThanOrEqual(rateInterval(0.8, 10).low);
      expect(found.high).toBeGreaterThanOrEqual(rateInterval(0.8, 10).high);
    }
  });
});

describe('clusteredMeanInterval', () => {
  it('equals clusterInterval for clusters of equal size, and tInterval for one value per cluster', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.double({ min: -9, max: 9, noNaN: true }), { minLength: 8, maxLength: 8 }),
        (size, values) => {
          const all = size === 3 ? values.slice(0, 6) : values;
          const clusters = all.map((_, index) => Math.floor(index / size));
          const [found, plain] = [known(clusteredMeanInterval(all, clusters)), known(clusterInterval(all, clusters))];
          expect(found.df).toBeCloseTo(plain.df, 9);
          expect(found.se).toBeCloseTo(plain.se, 9);
          expect(found.low).toBeCloseTo(plain.low, 7);
          if (size === 1) expect(found.high).toBeCloseTo(known(tInterval(all)).high, 7);
        },
      ),
      many,
    );
  });

  it('has few degrees of freedom if one cluster outweighs the others', () => {
    const values = [...Array<number>(40).fill(0), ...Array<number>(20).fill(1)];
    const clusters = values.map((_, index) => Math.max(0, index - 39));
    const found = known(clusteredMeanInterval(values, clusters));
    expect(found).toMatchObject({ clusters: 21 });
    expect(found.df).toBeCloseTo(2.15, 2);
    expect(width(found)).toBeGreaterThan(1.5 * width(known(clusterInterval(values, clusters))));
  });

  it('is unknown with a single cluster', () => {
    expect(clusteredMeanInterval([1, 2], ['a', 'a'])).toHaveProperty('unknown');
    expect(clusteredMeanInterval([], [])).toHaveProperty('unknown');
  });
});
