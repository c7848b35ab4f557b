import { isUnknown, rateInterval, wilsonEffectiveInterval } from '@agent-criteria/statistics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caseOf, exactMatch, runOf, runOfPasses } from './__fixtures__/outcomes.ts';
import { analyseRun } from './analyse-run.ts';
import { announcedPower } from './power/announced-power.ts';

describe('the pass rate of a run', () => {
  it('has the interval of a proportion if each case ran once', () => {
    const { passRate } = analyseRun(runOfPasses([...Array(97).fill([true]), ...Array(3).fill([false])]));
    expect(passRate).toMatchObject({ value: 0.97, cases: 100, values: 100, groups: null, unjudged: 0, bounds: null });
    expect(passRate?.interval).toEqual(rateInterval(0.97, 100));
  });

  it('counts a case once, however often it ran', () => {
    const cases = [
      [true, true, true],
      [true, false, true],
      [false, false, false],
      [true, true, false],
    ];
    const { passRate } = analyseRun(runOfPasses(cases));
    const expected = wilsonEffectiveInterval(cases.map((passes) => passes.map(Number)));
    if (isUnknown(expected)) throw new Error(expected.unknown);
    expect(passRate?.value).toBeCloseTo(expected.mean, 12);
    expect(passRate?.interval).toEqual({ low: expected.low, high: expected.high });
  });

  it('has a wider interval if cases have groups', () => {
    const passes = Array.from({ length: 40 }, (_, index) => index < 24);
    const alone = passes.map((pass, index) => caseOf(`case-${index}`, [pass]));
    const grouped = alone.map((one, index) => ({ ...one, group: `group-${Math.floor(index / 8)}` }));
    const wide = analyseRun(runOf(grouped)).passRate;
    expect(wide).toMatchObject({ value: 0.6, groups: 5 });
    expect(width(wide?.interval)).toBeGreaterThan(2 * (width(analyseRun(runOf(alone)).passRate?.interval) ?? 0));
  });

  it('has bounds that allow for everything that could not be judged', () => {
    const { passRate } = analyseRun(runOfPasses([[true], [true], [false], [null]]));
    expect(passRate).toMatchObject({ cases: 3, unjudged: 1, bounds: { worst: 0.5, best: 0.75 } });
    expect(passRate?.value).toBeCloseTo(2 / 3, 12);
  });

  it('takes an unjudged repeat into account in the bounds', () => {
    const { passRate } = analyseRun(
      runOfPasses([
        [true, null],
        [false, false],
      ]),
    );
    expect(passRate).toMatchObject({ value: 0.5, unjudged: 1, bounds: { worst: 0.25, best: 0.5 } });
  });

  it('is unknown if nothing could be judged, and absent if no criterion decides', () => {
    const { passRate } = analyseRun(runOfPasses([[null], [null]]));
    expect(passRate).toMatchObject({ value: null, interval: { unknown: 'no case has a value' }, unjudged: 2 });
    const measured = caseOf('case', [null], { verdict: 'informational' });
    expect(analyseRun(runOf([measured]))).toMatchObject({ passRate: null, power: null });
  });
});

describe('the mean of a criterion', () => {
  const range = { min: 0, max: null, better: 'lower' } as const;
  const tokens = { ...exactMatch, name: 'tokens', range, decides: false, threshold: null };
  const withTokens = (values: readonly (number | null)[]) =>
    runOf(
      values.map((value, index) =>
        caseOf(`case-${index}`, [true], {
          criteria: [
            {
              name: 'tokens',
              verdict: 'informational',
              score: value,
              coverage: value === null ? 0 : 1,
              scores: [value],
            },
          ],
        }),
      ),
      { criteria: [tokens] },
    );

  it('has a Student’s t interval, within the limits of its scale', () => {
    const [found] = analyseRun(withTokens([0, 0, 0, 1])).criteria;
    expect(found).toMatchObject({ name: 'tokens', value: 0.25, cases: 4, interval: { low: 0 } });
  });

  it('never has an interval of zero width', () => {
    const [found] = analyseRun(withTokens([7, 7, 7])).criteria;
    expect(found).toMatchObject({ value: 7, interval: { unknown: 'all cases have the same value' } });
  });

  it('has no worst-case bound if its scale is unbounded', () => {
    const [found] = analyseRun(withTokens([1, 2, null])).criteria;
    expect(found).toMatchObject({ value: 1.5, unjudged: 1, bounds: { worst: null, best: 1 } });
  });
});

describe('the analysis of repeats', () => {
  it('lists flaky cases with their distinct answers, the most evenly split first', () => {
    const { repeats } = analyseRun(
      runOfPasses([
        [true, true, true, true],
        [true, true, true, false],
        [false, true, false, true],
      ]),
    );
    expect(repeats?.flaky.map(({ caseId, passed, of }) => `${caseId} ${passed}/${of}`)).toEqual([
      'case-2 2/4',
      'case-1 3/4',
    ]);
    expect(repeats?.flaky[1]?.answers).toEqual([
      { text: 'case-1 true', count: 3, passed: 3 },
      { text: 'case-1 false', count: 1, passed: 0 },
    ]);
    expect(repeats?.passes.map(({ k }) => k)).toEqual([1, 2, 3, 4]);
    expect(repeats?.passes[3]).toMatchObject({ all: { mean: expect.closeTo(1 / 3, 12) }, atLeastOne: { mean: 1 } });
  });

  it('is absent if every case ran once', () => {
    expect(analyseRun(runOfPasses([[true], [false]])).repeats).toBeNull();
  });
});

describe('the power of a comparison', () => {
  it('is computed for the numbers of cases and repeats in the run', () => {
    const cases = Array.from({ length: 40 }, (_, index) => [index % 4 > 0, index % 3 > 0, index % 5 > 0]);
    const run = runOfPasses(cases);
    expect(analyseRun(run).power).toEqual(announcedPower(run));
    expect(analyseRun(run, { minEffect: 0.1 }).power).toEqual(announcedPower(run, { minEffect: 0.1 }));
  });
});

it('the order of cases and repeats does not affect the analysis', () => {
  const passes = fc.array(fc.array(fc.constantFrom(true, false, null), { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(passes, (cases) => {
      const plain = analyseRun(runOfPasses(cases));
      const turned = analyseRun(runOfPasses(cases.map((own) => [...own].reverse()).reverse()));
      expect(rounded(turned.passRate?.value)).toBe(rounded(plain.passRate?.value));
      expect(rounded(width(turned.passRate?.interval))).toBe(rounded(width(plain.passRate?.interval)));
      expect(turned.repeats?.flaky.length).toBe(plain.repeats?.flaky.length);
    }),
  );
});

it('an interval contains its estimate and stays within the scale', () => {
  const passes = fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(passes, (cases) => {
      const { passRate } = analyseRun(runOfPasses(cases));
      const { value, interval } = passRate as NonNullable<typeof passRate>;
      if (isUnknown(interval)) return;
      expect(interval.low).toBeGreaterThanOrEqual(0);
      expect(interval.high).toBeLessThanOrEqual(1);
      expect(interval.low).toBeLessThanOrEqual((value as number) + 1e-12);
      expect(interval.high).toBeGreaterThanOrEqual((value as number) - 1e-12);
      expect(interval.high - interval.low).toBeGreaterThan(0);
    }),
  );
});

function width(
  interval: NonNullable<ReturnType<typeof analyseRun>['passRate']>['interval'] | undefined,
): number | null {
  return interval === undefined || isUnknown(interval) ? null : interval.high - interval.low;
}

function rounded(value: number | null | undefined): string | null {
  return value?.toFixed(10) ?? null;
}
