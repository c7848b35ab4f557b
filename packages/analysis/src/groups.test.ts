import { isUnknown } from '@agent-criteria/statistics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { createChance } from './__fixtures__/chance.ts';
import { caseOf, exactMatch, type Pass, runOf, runOfPasses } from './__fixtures__/outcomes.ts';
import { analyseRun } from './analyse-run.ts';
import { gateResults } from './gates/gate-results.ts';
import type { RunOutcomes } from './run-outcomes.ts';
import { statisticsSections } from './text/statistics.ts';

// Simulates runs whose cases have groups, and checks that a run's numbers are consistent.

/** Creates a run whose cases pass at the rate drawn for their group. */
function groupedRun(
  groups: number,
  size: number,
  repeats: number,
  rateOf: () => number,
  outcome: (rate: number) => number,
) {
  return runOf(
    Array.from({ length: groups }, (_, group) => {
      const rate = rateOf();
      return Array.from({ length: size }, (__, index) =>
        caseOf(
          `case-${group}-${index}`,
          Array.from({ length: repeats }, () => outcome(rate) === 1),
          { group: `group-${group}` },
        ),
      );
    }).flat(),
  );
}

/** Creates a run in which four in five groups pass at 97%, the others at 20%. */
function nearlyAllOrNothing(seed: number, groups: number, size: number, repeats: number): RunOutcomes {
  const draw = createChance(seed);
  return groupedRun(groups, size, repeats, () => (draw.outcome(0.8) === 1 ? 0.97 : 0.2), draw.outcome);
}
const RATE = 0.8 * 0.97 + 0.2 * 0.2;
const ALL_OF_3 = 0.8 * 0.97 ** 3 + 0.2 * 0.2 ** 3;

const seeds = Array.from({ length: runs(1000) }, (_, index) => index + 1);
/** Upper limit for an observed share: five standard errors above the claimed one. */
const atMost = (share: number) => share + 5 * Math.sqrt((share * (1 - share)) / seeds.length);
const shareOf = (happens: (seed: number) => boolean) => seeds.filter(happens).length / seeds.length;

describe('statistics of few groups', () => {
  it.each([
    [5, 10],
    [10, 10],
    [20, 5],
  ])('%d groups of %d cases: a gate on pass^3 above the true rate rarely holds', (groups, size) => {
    const gate = { passHatK: { k: 3, rate: ALL_OF_3 + 0.02 } };
    const wrong = shareOf((seed) => {
      return gateResults(nearlyAllOrNothing(seed, groups, size, 3), gate, null)[0]?.holds === true;
    });
    expect(wrong).toBeLessThan(atMost(0.025));
  });

  it.each([
    [5, 10, 3],
    [10, 10, 1],
  ])(
    '%d groups of %d cases x %d: the intervals of pass rate and pass^k contain the true values',
    (groups, size, repeats) => {
      const missed = { rate: 0, all: 0 };
      for (const seed of seeds) {
        const { passRate, repeats: found } = analyseRun(nearlyAllOrNothing(seed, groups, size, repeats));
        const holds = (interval: unknown, truth: number) => {
          const { low, high } = interval as { readonly low: number; readonly high: number };
          return low <= truth && truth <= high;
        };
        if (!holds(passRate?.interval, RATE)) missed.rate += 1;
        if (found !== null && !holds(found.passes[2]?.all, ALL_OF_3)) missed.all += 1;
      }
      expect(missed.rate / seeds.length).toBeLessThan(atMost(0.07));
      expect(missed.all / seeds.length).toBeLessThan(atMost(0.07));
    },
  );

  it('a gate on a quantile rarely holds below the true quantile, but does above it with enough groups', () => {
    const range = { min: 0, max: null, better: 'lower' } as const;
    const seconds = { ...exactMatch, name: 'seconds', range, decides: false, threshold: null };
    const timed = (seed: number, groups: number, size: number) => {
      const draw = createChance(seed);
      const cases = Array.from({ length: groups }, (_, group) => {
        const own = 0.6 * draw.normal();
        return Array.from({ length: size }, (__, index) => {
          const score = Math.exp(own + 0.3 * draw.normal());
          const criteria = [
            { name: 'seconds', verdict: 'informational' as const, score, coverage: 1, scores: [score] },
          ];
          return caseOf(`case-${group}-${index}`, [true], { group: `group-${group}`, criteria });
        });
      });
      return runOf(cases.flat(), { criteria: [seconds] });
    };
    // The logarithm is normal with a standard deviation of sqrt(0.45).
    const truth = Math.exp(1.2815515655446004 * Math.sqrt(0.45));
    const gate = { quantiles: { seconds: { q: 0.9, limit: truth - 0.01 } } };
    for (const groups of [10, 40]) {
      const wrong = shareOf((seed) => gateResults(timed(seed, groups, 5), gate, null)[0]?.holds === true);
      expect(wrong, `${groups} groups`).toBeLessThan(atMost(0.03));
    }
    const loose = { quantiles: { seconds: { q: 0.9, limit: 9 } } };
    expect(gateResults(timed(1, 60, 5), loose, null)[0]?.holds).toBe(true);
    expect(gateResults(timed(1, 10, 5), loose, null)[0]).toMatchObject({
      holds: null,
      text: expect.stringContaining('10 groups are too few for its interval'),
    });
  });
});

describe('numbers of one run', () => {
  it('do not contradict each other if two of ten groups fail', () => {
    const draw = createChance(1);
    let group = 0;
    const run = groupedRun(10, 10, 3, () => (group++ < 2 ? 0.05 : 0.99), draw.outcome);
    const { passRate, repeats } = analyseRun(run);
    const [rate, all] = [passRate?.interval, repeats?.passes[2]?.all];
    if (rate === undefined || all === undefined || isUnknown(rate) || isUnknown(all)) throw new Error('unknown');
    expect(all.low).toBeLessThanOrEqual(rate.low);
    const gates = gateResults(run, { passRate: 0.6, passHatK: { k: 3, rate: 0.6 } }, null);
    expect(gates.map(({ holds }) => holds)).toEqual([null, null]);
    expect(gates.map(({ text }) => text).join()).toMatch(/too few groups to tell.*too few groups to tell/s);
    const lines = statisticsSections([analyseRun(run)])[0]?.lines.join('\n');
    expect(lines).toMatch(
      /^pass rate over repeats \d+% \(95% confidence interval .*\), 100 cases in 10 groups, 3 repeats each/m,
    );
    expect(lines).toMatch(/^all 3 repeats pass in \d+% of cases \(pass\^3, 95% confidence interval /m);
  });

  const cases = fc.integer({ min: 2, max: 5 }).chain((repeats) =>
    fc.array(
      fc.record({
        passes: fc.array(fc.boolean(), { minLength: repeats, maxLength: repeats }),
        group: fc.constantFrom(null, 'a', 'b', 'c'),
      }),
      { minLength: 1, maxLength: 12 },
    ),
  );

  it('have the same interval for pass rate, pass@1 and pass^1, and are ordered by k and between 0 and 1', () => {
    fc.assert(
      fc.property(cases, (all) => {
        const run = runOf(all.map(({ passes, group }, index) => caseOf(`case-${index}`, passes, { group })));
        const { passRate, repeats } = analyseRun(run);
        const passes = repeats?.passes ?? [];
        for (const [index, { all: every, atLeastOne: any }] of passes.entries()) {
          if (isUnknown(every) || isUnknown(any)) throw new Error('unknown');
          if (index === 0) {
            const rate = passRate?.interval as { readonly low: number; readonly high: number };
            for (const own of [every, any]) {
              expect(own.low).toBeCloseTo(rate.low, 9);
              expect(own.high).toBeCloseTo(rate.high, 9);
            }
          }
          for (const { mean, low, high } of [every, any]) {
            expect(low).toBeGreaterThanOrEqual(0);
            expect(high).toBeLessThanOrEqual(1);
            expect(low).toBeLessThanOrEqual(mean + 1e-9);
            expect(high).toBeGreaterThanOrEqual(mean - 1e-9);
            expect(high - low).toBeGreaterThan(0);
          }
          const last = passes[index - 1];
          if (last === undefined || isUnknown(last.all) || isUnknown(last.atLeastOne)) continue;
          expect(every.low).toBeLessThanOrEqual(last.all.low);
          expect(any.high).toBeGreaterThanOrEqual(last.atLeastOne.high);
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  it('do not fall when a perfect record has more repeats', () => {
    const perfect = (count: number, repeats: number) =>
      runOfPasses(Array.from({ length: count }, () => Array<Pass>(repeats).fill(true)));
    for (const count of [3, 16, 35]) {
      const [once, often] = [1, 3].map((repeats) => analyseRun(perfect(count, repeats)).passRate?.interval);
      expect(often).toEqual(once);
    }
    for (const repeats of [1, 3]) {
      const holds = (count: number, passRate: number) =>
        gateResults(perfect(count, repeats), { passRate }, null)[0]?.holds;
      expect([holds(16, 0.8), holds(35, 0.9), holds(73, 0.95)]).toEqual([true, true, true]);
      expect(holds(30, 0.9)).toBe(null);
    }
  });

  it('include an interval for equal scores, so that a gate can hold', () => {
    const scored = (count: number) =>
      runOf(
        Array.from({ length: count }, (_, index) =>
          caseOf(`case-${index}`, [true], {
            criteria: [{ name: 'exact_match', verdict: 'passed', score: 0.9, coverage: 1, scores: [0.9] }],
          }),
        ),
      );
    const [mean] = analyseRun(scored(10)).criteria;
    expect(mean?.value).toBeCloseTo(0.9, 12);
    expect(mean?.interval).toMatchObject({ low: expect.closeTo(0.75, 1), high: expect.closeTo(0.92, 2) });
    const holds = (count: number) => gateResults(scored(count), { means: { exact_match: 0.8 } }, null)[0]?.holds;
    expect([holds(5), holds(40)]).toEqual([null, true]);
  });

  it('state how many repeats the flaky cases are based on, and that more repeats may reveal more of them', () => {
    const run = runOfPasses([...Array(9).fill([true, true, true]), [true, false, true]]);
    expect(gateResults(run, { flakyShare: 0.1 }, null)[0]?.text).toBe(
      '1 of 10 cases was flaky in 3 repeats, and more repeats may find more; the gate allows at most 10%',
    );
  });
});

it('a quantile near the lower end has no lower bound with too few cases', () => {
  const scored = (count: number) =>
    runOf(
      Array.from({ length: count }, (_, index) =>
        caseOf(`case-${index}`, [true], {
          criteria: [{ name: 'exact_match', verdict: 'passed', score: 1, coverage: 1, scores: [1] }],
        }),
      ),
    );
  const gate = { quantiles: { exact_match: { q: 0.1, limit: 0.9 } } };
  expect(gateResults(scored(20), gate, null)[0]).toMatchObject({
    holds: null,
    text: expect.stringContaining('at least 36 cases are needed'),
  });
  expect(gateResults(scored(36), gate, null)[0]?.holds).toBe(true);
});
