import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { caseOf, runOf, runOfPasses } from '../__fixtures__/outcomes.ts';
import { compareRuns } from '../compare-runs.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import { powerSentence } from '../text/power.ts';
import { type AnnouncedPower, announcedPower, powerOf } from './announced-power.ts';
import { powerPlans } from './power-plans.ts';

/** Creates cases with three repeats each. The number of passing repeats cycles through `passes`. */
function pilot(cases: number, passes: readonly number[] = [3, 3, 2, 3, 1]): RunOutcomes {
  return runOfPasses(
    Array.from({ length: cases }, (_, index) => {
      const passed = passes[index % passes.length] as number;
      return [0, 1, 2].map((repeat) => repeat < passed);
    }),
  );
}

/** Creates cases with one repeat each, four in five of which pass. */
const once = (cases: number) => runOfPasses(Array.from({ length: cases }, (_, index) => [index % 5 > 0]));

function inGroups(run: RunOutcomes, size: number): RunOutcomes {
  return { ...run, cases: run.cases.map((one, index) => ({ ...one, group: `group-${Math.floor(index / size)}` })) };
}

function known(power: ReturnType<typeof announcedPower>): AnnouncedPower {
  if ('unknown' in power) throw new Error(power.unknown);
  return power;
}

describe('announced power', () => {
  it('matches how often the decision itself finds the fall', () => {
    const chance = randomOf(7);
    const draw = (rate: number) =>
      runOfPasses(Array.from({ length: 40 }, () => Array.from({ length: 3 }, () => chance() < rate)));
    const draws = runs(2000);
    let [found, announced] = [0, 0];
    for (let index = 0; index < draws; index++) {
      const before = draw(0.8);
      if (compareRuns(before, draw(0.65)).outcome === 'regression') found += 1 / draws;
      announced += (powerOf(before, 'all', 0.15) as number) / draws;
    }
    expect(Math.abs(found - announced)).toBeLessThan(0.05 + 3 * Math.sqrt(0.25 / draws));
  });

  it('is at most one half for a fall of exactly the smallest change that counts', () => {
    for (const cases of [50, 200, 1000, 5000]) {
      const { all, some } = known(announcedPower(pilot(cases)));
      expect(all.ofMinEffect).toBeLessThan(0.52);
      expect(some.ofMinEffect).toBeLessThan(0.52);
      expect(all.found).toBeGreaterThan(0.05);
    }
  });

  it('grows with the number of cases, the number of repeats and the size of the fall', () => {
    const run = pilot(40);
    const found = (options: object) => known(announcedPower(run, options)).some.found as number;
    expect(found({ cases: 160 })).toBeLessThan(found({}));
    expect(found({ repeats: 10 })).toBeLessThan(found({}));
    const sizes = [0.05, 0.1, 0.2, 0.4].map((size) => powerOf(run, 'some', size) as number);
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
  });

  it('is 0 for five cases that run once, however large the fall', () => {
    expect(known(announcedPower(runOfPasses([[true], [true], [true], [true], [true]])))).toMatchObject({
      all: { found: null, ofTwice: 0 },
      some: { found: null, ofTwice: 0 },
    });
  });

  it('is 0 for one case with three repeats, but not for four such cases', () => {
    const passing = (cases: number) => runOfPasses(Array.from({ length: cases }, () => [true, true, true]));
    expect(known(announcedPower(passing(1))).some).toMatchObject({ found: null, ofTwice: 0 });
    expect(known(announcedPower(passing(4))).some.found).not.toBeNull();
  });

  it('counts groups, not cases', () => {
    const alone = known(announcedPower(pilot(100)));
    const together = known(announcedPower(inGroups(pilot(100, [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0, 0, 0, 0, 0]), 5)));
    expect(together.groups).toBe(20);
    expect(together.some.found).toBeGreaterThan(alone.some.found as number);
    // Five groups can never show a fall.
    expect(known(announcedPower(inGroups(pilot(50), 10))).all.found).toBeNull();
  });

  it('assumes the largest noise if each case ran once, and reports that the noise was not measured', () => {
    const single = known(announcedPower(once(40)));
    expect(single.measured).toBe(false);
    expect(powerSentence(single)).toContain('perhaps a smaller one');
    // Repeats that agree show less noise than was assumed.
    const steady = runOfPasses(Array.from({ length: 40 }, (_, index) => Array<boolean>(3).fill(index % 5 > 0)));
    const again = known(announcedPower(steady, { repeats: 1 }));
    expect(again.measured).toBe(true);
    expect(again.all.found).toBeLessThan(single.all.found as number);
  });

  it('includes the correction for other deciding numbers', () => {
    const run = pilot(40);
    const [first] = run.criteria;
    const other = { ...first!, name: 'other' };
    const scored = run.cases.map((one, index) => ({
      ...one,
      criteria: [
        ...one.criteria,
        {
          ...one.criteria[0]!,
          name: 'other',
          score: 0.5 + index / 100,
          scores: one.repeats.map(() => 0.5 + index / 100),
        },
      ],
    }));
    const two = powerOf({ ...run, criteria: [first!, other], cases: scored }, 'all', 0.15) as number;
    expect(two).toBeLessThan(powerOf(run, 'all', 0.15) as number);
    // A criterion with the same outcomes as the pass rate needs no correction.
    const same = run.cases.map((one) => ({
      ...one,
      criteria: [...one.criteria, { ...one.criteria[0]!, name: 'other' }],
    }));
    expect(powerOf({ ...run, criteria: [first!, other], cases: same }, 'all', 0.15)).toBe(powerOf(run, 'all', 0.15));
  });

  it('is unknown if nothing was judged, or nothing can fall', () => {
    expect(announcedPower(runOf([caseOf('a', [null])]))).toEqual({ unknown: 'nothing was judged' });
    expect(announcedPower(runOfPasses([[false], [false]]))).toEqual({
      unknown: 'nothing passes, so the pass rate cannot fall',
    });
  });

  it('is plain JSON with numbers between 0 and 1, for any run', () => {
    for (const run of [
      pilot(1),
      pilot(3),
      once(2),
      runOfPasses([[true, true]]),
      inGroups(pilot(12), 4),
      inGroups(once(15), 3),
    ]) {
      const { own, plans } = powerPlans(run) as Exclude<ReturnType<typeof powerPlans>, { unknown: string }>;
      for (const { all, some } of [own, ...plans]) {
        for (const { ofMinEffect, ofTwice, found } of [all, some]) {
          for (const chance of [ofMinEffect, ofTwice, found ?? 0]) {
            expect(chance).toBeGreaterThanOrEqual(0);
            expect(chance).toBeLessThanOrEqual(1);
          }
        }
      }
      expect(JSON.parse(JSON.stringify(own))).toEqual(own);
    }
  });
});

describe('powerSentence()', () => {
  it('names both shapes of a fall, rounded', () => {
    expect(powerSentence(known(announcedPower(pilot(40))))).toMatchInlineSnapshot(
      `"comparing two runs of these cases would find, 8 times in 10, a fall of about 20 points; a fall of 5 points, about 2 times in 10"`,
    );
  });

  it('states how often each shape of the smallest fall is found', () => {
    const power = known(announcedPower(pilot(40)));
    const ofMinEffect = (all: number, some: number) =>
      powerSentence({ ...power, all: { ...power.all, ofMinEffect: all }, some: { ...power.some, ofMinEffect: some } });
    expect(ofMinEffect(0.3, 0.1)).toMatch(
      /; a fall of 5 points, about 3 times in 10 if all cases get a little worse, or about 1 time in 10 if some cases break$/,
    );
    expect(ofMinEffect(0.3, 0.3)).toMatch(/; a fall of 5 points, about 3 times in 10$/);
  });

  it('states that any fall would be missed if there are too few cases', () => {
    expect(powerSentence(known(announcedPower(once(5))))).toMatchInlineSnapshot(
      `"comparing two runs of these cases would most likely miss any fall of the pass rate: 5 cases run once are too few"`,
    );
  });
});

/** A linear congruential generator, so that the test does not depend on the product's own generator. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
