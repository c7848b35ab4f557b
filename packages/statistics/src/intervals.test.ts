import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import {
  betaMixtureSequence,
  bootstrapPercentile,
  bootstrapResamples,
  clopperPearsonInterval,
  clusterInterval,
  type Interval,
  isUnknown,
  jeffreysInterval,
  passAtK,
  passHatK,
  ppiMean,
  ppiPlusPlusMean,
  tInterval,
  type Unknown,
  varianceComponents,
  wilsonEffectiveInterval,
  wilsonInterval,
} from './index.ts';

const many = { numRuns: runs(500) };
const score = fc.double({ min: 0, max: 1, noNaN: true });
const scores = fc.array(score, { minLength: 2, maxLength: 20 });
const outcomes = fc.array(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 1, maxLength: 6 }), {
  minLength: 2,
  maxLength: 12,
});
const counts = fc.integer({ min: 1, max: 2000 }).chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
const level = fc.constantFrom(0.8, 0.9, 0.95, 0.99);

function known<Result>(result: Result | Unknown): Result {
  if (isUnknown(result)) throw new Error(result.unknown);
  return result;
}

/** Expects equality up to rounding, whatever numbers the objects contain. */
function expectSame(one: object, other: object) {
  for (const [key, value] of Object.entries(one)) {
    const second = (other as Record<string, unknown>)[key];
    if (typeof value === 'number') expect(second, key).toBeCloseTo(value, 10);
    else expect(second, key).toEqual(value);
  }
}

const ofRates: readonly [string, (k: number, n: number, level: number) => Interval][] = [
  ['wilsonInterval', (k, n, share) => known(wilsonInterval(k, n, share))],
  ['clopperPearsonInterval', (k, n, share) => known(clopperPearsonInterval(k, n, share))],
  ['jeffreysInterval', (k, n, share) => known(jeffreysInterval(k, n, share))],
  ['betaMixtureSequence', (k, n, share) => betaMixtureSequence({ k, n, alpha: 1 - share })],
];

describe.each(ofRates)('%s', (_, interval) => {
  it('lies between 0 and 1, contains the observed rate, and reaches 0 and 1 exactly', () => {
    fc.assert(
      fc.property(counts, level, ([k, n], share) => {
        const { low, high } = interval(k, n, share);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(k / n);
        expect(high).toBeGreaterThanOrEqual(k / n);
        if (k === 0) expect(low).toBe(0);
        if (k === n) expect(high).toBe(1);
      }),
      many,
    );
  });

  it('is symmetric in passed and failed', () => {
    fc.assert(
      fc.property(counts, level, ([k, n], share) => {
        const { low, high } = interval(k, n, share);
        const mirrored = interval(n - k, n, share);
        expect(mirrored.low).toBeCloseTo(1 - high, 11);
        expect(mirrored.high).toBeCloseTo(1 - low, 11);
      }),
      many,
    );
  });

  it('shrinks with more cases at the same rate, and grows with the level', () => {
    fc.assert(
      fc.property(counts, ([k, n]) => {
        const width = (found: Interval) => found.high - found.low;
        expect(width(interval(4 * k, 4 * n, 0.95))).toBeLessThan(width(interval(k, n, 0.95)));
        expect(width(interval(k, n, 0.9))).toBeLessThan(width(interval(k, n, 0.99)));
      }),
      many,
    );
  });

  it('rises with the number of passes', () => {
    fc.assert(
      fc.property(counts, ([k, n]) => {
        if (k === n) return;
        const [less, more] = [interval(k, n, 0.95), interval(k + 1, n, 0.95)];
        expect(more.low).toBeGreaterThan(less.low);
        expect(more.high === 1 ? 1 : more.high - less.high).toBeGreaterThan(0);
      }),
      many,
    );
  });
});

it("Clopper-Pearson's interval contains Jeffreys' interval", () => {
  fc.assert(
    fc.property(counts, ([k, n]) => {
      const [outer, inner] = [known(clopperPearsonInterval(k, n)), known(jeffreysInterval(k, n))];
      expect(outer.low).toBeLessThanOrEqual(inner.low);
      expect(outer.high).toBeGreaterThanOrEqual(inner.high);
    }),
    many,
  );
});

describe('intervals of means', () => {
  it('are centred on the mean, whatever the order of cases', () => {
    fc.assert(
      fc.property(scores, (values) => {
        const found = known(tInterval(values));
        expect(found.mean - found.low).toBeCloseTo(found.high - found.mean, 10);
        expect(found.low).toBeLessThanOrEqual(found.mean);
        expectSame(found, known(tInterval(values.toReversed())));
      }),
      many,
    );
  });

  it('shrink if every value occurs four times', () => {
    fc.assert(
      fc.property(scores, (values) => {
        const [once, often] = [
          known(tInterval(values)),
          known(tInterval([...values, ...values, ...values, ...values])),
        ];
        expect(often.mean).toBeCloseTo(once.mean, 10);
        if (once.sd > 0) expect(often.se).toBeLessThan(once.se);
      }),
      many,
    );
  });

  it('have zero width if all values are equal', () => {
    fc.assert(
      fc.property(score, fc.integer({ min: 2, max: 30 }), (value, n) => {
        const found = known(tInterval(new Array<number>(n).fill(value)));
        expect([found.sd, found.low, found.high]).toEqual([0, value, value]);
      }),
      many,
    );
  });

  it('with one value per cluster equal those without clusters', () => {
    fc.assert(
      fc.property(scores, (values) => {
        const { mean, se, df, low, high } = known(clusterInterval(values, [...values.keys()]));
        expectSame({ mean, se, df, low, high }, known(tInterval(values)));
      }),
      many,
    );
  });

  it('do not shrink if a case is duplicated within its cluster', () => {
    fc.assert(
      fc.property(scores, (values) => {
        const twice = [...values, ...values];
        const clusters = [...values.keys(), ...values.keys()];
        expect(known(clusterInterval(twice, clusters)).se).toBeCloseTo(known(tInterval(values)).se, 10);
      }),
      many,
    );
  });
});

describe('wilsonEffectiveInterval', () => {
  it('contains the mean, whatever the order of cases and repeats', () => {
    fc.assert(
      fc.property(outcomes, (cases) => {
        const found = known(wilsonEffectiveInterval(cases));
        expect(found.low).toBeLessThanOrEqual(found.mean);
        expect(found.high).toBeGreaterThanOrEqual(found.mean);
        expectSame(found, known(wilsonEffectiveInterval(cases.map((runsOf) => runsOf.toReversed()).toReversed())));
      }),
      many,
    );
  });

  it('is symmetric in passed and failed', () => {
    fc.assert(
      fc.property(outcomes, (cases) => {
        const found = known(wilsonEffectiveInterval(cases));
        const mirrored = known(wilsonEffectiveInterval(cases.map((runsOf) => runsOf.map((outcome) => 1 - outcome))));
        expect(mirrored.low).toBeCloseTo(1 - found.high, 10);
        expect(mirrored.high).toBeCloseTo(1 - found.low, 10);
      }),
      many,
    );
  });

  it('counts repeats that all agree as a single run', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 2, maxLength: 30 }), (verdicts) => {
        const found = known(wilsonEffectiveInterval(verdicts.map((verdict) => [verdict, verdict, verdict])));
        expect(found.effectiveN).toBe(verdicts.length);
      }),
      many,
    );
  });
});

describe('statistics of repeats', () => {
  it('pass^k falls and pass@k rises with k, and both are equal for k = 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 200 }), fc.nat(), fc.nat(), (n, some, most) => {
        const [c, k] = [some % (n + 1), 1 + (most % (n - 1))];
        expect(known(passHatK(n, c, 1))).toBeCloseTo(c / n, 12);
        expect(known(passAtK(n, c, 1))).toBeCloseTo(c / n, 12);
        expect(known(passHatK(n, c, k + 1))).toBeLessThanOrEqual(known(passHatK(n, c, k)));
        expect(known(passAtK(n, c, k + 1))).toBeGreaterThanOrEqual(known(passAtK(n, c, k)));
        // All runs fail exactly if none passes.
        expect(known(passAtK(n, c, k))).toBeCloseTo(1 - known(passHatK(n, n - c, k)), 12);
      }),
      many,
    );
  });

  it('variance components do not depend on the order, and noise is not attributed to cases', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(score, { minLength: 2, maxLength: 5 }), { minLength: 2, maxLength: 8 }),
        (cases) => {
          const found = known(varianceComponents(cases));
          expectSame(found, known(varianceComponents(cases.map((all) => all.toReversed()).toReversed())));
          expect(found.between).toBeGreaterThanOrEqual(0);
          if (!isUnknown(found.icc)) expect(found.icc).toBeLessThanOrEqual(1);
          expect(found.noiseFloor95Mean).toBeGreaterThanOrEqual(found.noiseSdMean);
        },
      ),
      many,
    );
  });
});

describe('estimates from a judge and labels', () => {
  const pair = fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 1 }));
  const labelled = fc.record({
    pairs: fc.array(pair, { minLength: 3, maxLength: 20 }),
    judgeUnlabelled: fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 2, maxLength: 30 }),
  });
  const dataOf = (pairs: readonly (readonly [number, number])[], judgeUnlabelled: readonly number[]) => ({
    human: pairs.map(([human]) => human),
    judgeLabelled: pairs.map(([, judge]) => judge),
    judgeUnlabelled,
  });

  it.each([
    ['ppiMean', ppiMean],
    ['ppiPlusPlusMean', ppiPlusPlusMean],
  ] as const)('%s does not depend on the order, and is symmetric in passed and failed', (_, estimate) => {
    fc.assert(
      fc.property(labelled, ({ pairs, judgeUnlabelled }) => {
        const found = known(estimate(dataOf(pairs, judgeUnlabelled)));
        expect(found.low).toBeLessThanOrEqual(found.estimate);
        expectSame(found, known(estimate(dataOf(pairs.toReversed(), judgeUnlabelled.toReversed()))));
        const flipped = pairs.map(([human, judge]) => [1 - human, 1 - judge] as const);
        const mirrored = known(
          estimate(
            dataOf(
              flipped,
              judgeUnlabelled.map((judge) => 1 - judge),
            ),
          ),
        );
        expect(mirrored.estimate).toBeCloseTo(1 - found.estimate, 10);
        expect(mirrored.se).toBeCloseTo(found.se, 10);
      }),
      many,
    );
  });
});

describe('the bootstrap', () => {
  it('accepts any statistic, such as a quantile of latency, and is reproducible with a seed', () => {
    const values = Array.from({ length: 40 }, (_, index) => (index * 37) % 101);
    const ninth = (sample: readonly number[]) => sample.toSorted((a, b) => a - b)[Math.floor(0.9 * sample.length)]!;
    const found = () => bootstrapPercentile({ values, statistic: ninth, resamples: bootstrapResamples(40, 200, 5) });
    expect(found()).toEqual(found());
    const { low, high, estimate } = known(found());
    expect(low).toBeLessThanOrEqual(estimate);
    expect(high).toBeGreaterThan(low);
  });

  it('stays within the range of the values', () => {
    fc.assert(
      fc.property(scores, fc.integer(), (values, seed) => {
        const resamples = bootstrapResamples(values.length, 50, seed);
        const { low, high } = known(bootstrapPercentile({ values, statistic: 'median', resamples }));
        expect(low).toBeGreaterThanOrEqual(Math.min(...values));
        expect(high).toBeLessThanOrEqual(Math.max(...values));
      }),
      { numRuns: runs(200) },
    );
  });
});
