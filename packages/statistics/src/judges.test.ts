import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import {
  cohenKappa,
  fleissKappa,
  gwetAC1,
  isotonicRegression,
  isUnknown,
  krippendorffAlpha,
  roganGladen,
  type Unknown,
} from './index.ts';

const many = { numRuns: runs(500) };
const categories = ['fail', 'unsure', 'pass'];
const answer = fc.constantFrom(...categories);
const answers = fc.array(fc.tuple(answer, answer), { minLength: 1, maxLength: 30 });

function known<Result>(result: Result | Unknown): Result {
  if (isUnknown(result)) throw new Error(result.unknown);
  return result;
}

describe('coefficients of agreement', () => {
  it('do not depend on the order of cases, of raters, or (unless distances count) of categories', () => {
    fc.assert(
      fc.property(answers, fc.constantFrom('none', 'linear', 'quadratic'), (pairs, weights) => {
        const [a, b] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)];
        const found = cohenKappa({ a, b, categories, weights });
        expect(
          cohenKappa({ a: b.toReversed(), b: a.toReversed(), categories: categories.toReversed(), weights }),
        ).toEqual(found);
        const ac1 = known(gwetAC1(pairs, categories));
        expect(known(gwetAC1(pairs.map(([x, y]) => [y, x]).toReversed(), categories)).ac1).toBeCloseTo(ac1.ac1, 12);
        if (isUnknown(found)) return;
        expect(found.kappa).toBeLessThanOrEqual(1);
        expect(found.observed).toBeCloseTo(ac1.observed, 12);
      }),
      many,
    );
  });

  it('are exactly 1 if all agree', () => {
    fc.assert(
      fc.property(fc.array(answer, { minLength: 2, maxLength: 20 }), (all) => {
        const places = all.map((one) => categories.indexOf(one));
        const kappa = cohenKappa({ a: all, b: all, categories });
        const alpha = krippendorffAlpha(places.map((place) => [place, place, null]));
        const isOne = new Set(all).size === 1;
        expect(isUnknown(kappa)).toBe(isOne);
        expect(isUnknown(alpha)).toBe(isOne);
        if (!isUnknown(kappa)) expect(kappa.kappa).toBe(1);
        if (!isUnknown(alpha)) expect(alpha).toBe(1);
        expect(
          known(
            gwetAC1(
              all.map((one) => [one, one]),
              categories,
            ),
          ).ac1,
        ).toBe(1);
      }),
      many,
    );
  });

  it('agree for two raters: Fleiss’ kappa equals nominal alpha without its correction for few cases', () => {
    fc.assert(
      fc.property(answers, (pairs) => {
        const counts = pairs.map((pair) => categories.map((category) => pair.filter((one) => one === category).length));
        const fleiss = fleissKappa(counts);
        const alpha = krippendorffAlpha(pairs.map((pair) => pair.map((one) => categories.indexOf(one))));
        expect(isUnknown(fleiss)).toBe(isUnknown(alpha));
        if (isUnknown(fleiss) || isUnknown(alpha)) return;
        const n = 2 * pairs.length;
        expect(alpha).toBeCloseTo(1 - (1 - fleiss.kappa) * (1 - 1 / n), 10);
      }),
      many,
    );
  });

  it('ignore distances between ordinal answers, and any shift and scale of interval answers', () => {
    const unit = fc.array(fc.option(fc.integer({ min: 0, max: 4 })), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 10 }), (units) => {
        const mapped = (to: (value: number) => number) =>
          units.map((all) => all.map((value) => (value === null ? null : to(value))));
        const ordinal = krippendorffAlpha(units, 'ordinal');
        expect(
          krippendorffAlpha(
            mapped((value) => value ** 3 + 7),
            'ordinal',
          ),
        ).toEqual(ordinal);
        const interval = krippendorffAlpha(units, 'interval');
        if (isUnknown(interval)) return;
        expect(
          known(
            krippendorffAlpha(
              mapped((value) => 1e6 + 4 * value),
              'interval',
            ),
          ),
        ).toBeCloseTo(interval, 10);
      }),
      many,
    );
  });
});

describe('isotonicRegression', () => {
  const point = fc.tuple(
    fc.integer({ min: 0, max: 8 }),
    fc.integer({ min: 0, max: 1 }),
    fc.integer({ min: 1, max: 3 }),
  );

  it('increases, keeps the mean, and leaves an increasing curve unchanged', () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 30 }), (points) => {
        const [x, y, weights] = [0, 1, 2].map((column) => points.map((one) => one[column]!)) as [
          number[],
          number[],
          number[],
        ];
        const fitted = isotonicRegression(x, y, weights);
        for (const [one, at] of x.entries()) {
          for (const [other, to] of x.entries())
            if (at <= to) expect(fitted[one]).toBeLessThanOrEqual(fitted[other]! + 1e-12);
        }
        const mean = (values: readonly number[]) =>
          values.reduce((sum, value, index) => sum + value * weights[index]!, 0);
        expect(mean(fitted)).toBeCloseTo(mean(y), 9);
        for (const [index, value] of isotonicRegression(x, fitted, weights).entries()) {
          expect(value).toBeCloseTo(fitted[index]!, 12);
        }
        const reversed = isotonicRegression(x.toReversed(), y.toReversed(), weights.toReversed());
        for (const [index, value] of reversed.toReversed().entries()) expect(value).toBeCloseTo(fitted[index]!, 12);
      }),
      many,
    );
  });
});

describe('roganGladen', () => {
  it('does not correct a judge that is always right, and is symmetric in passed and failed', () => {
    const judged = fc.record({
      positives: fc.integer({ min: 0, max: 50 }),
      truePositives: fc.integer({ min: 6, max: 10 }),
      trueNegatives: fc.integer({ min: 6, max: 10 }),
    });
    fc.assert(
      fc.property(judged, ({ positives, truePositives, trueNegatives }) => {
        const perfect = { n: 50, humanPositives: 10, humanNegatives: 10, truePositives: 10, trueNegatives: 10 };
        expect(known(roganGladen({ ...perfect, positives })).estimate).toBeCloseTo(positives / 50, 12);
        const found = known(roganGladen({ ...perfect, positives, truePositives, trueNegatives }));
        const mirrored = known(
          roganGladen({
            ...perfect,
            positives: 50 - positives,
            truePositives: trueNegatives,
            trueNegatives: truePositives,
          }),
        );
        expect(mirrored.raw).toBeCloseTo(1 - found.raw, 10);
        expect(mirrored.low).toBeCloseTo(1 - found.high, 10);
      }),
      many,
    );
  });
});
