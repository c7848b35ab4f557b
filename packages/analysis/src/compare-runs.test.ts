import { isUnknown } from '@agent-criteria/statistics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { createChance } from './__fixtures__/chance.ts';
import { caseOf, exactMatch, type Pass, runOf, runOfPasses } from './__fixtures__/outcomes.ts';
import { compareRuns } from './compare-runs.ts';
import type { RunOutcomes } from './run-outcomes.ts';

/** Creates cases with a single repeat each, with these counts of outcomes. */
function passes(passed: number, failed: number, unjudged = 0): readonly Pass[][] {
  return [
    ...Array.from({ length: passed }, () => [true]),
    ...Array.from({ length: failed }, () => [false]),
    ...Array.from({ length: unjudged }, () => [null]),
  ];
}

describe('compareRuns()', () => {
  it('reports a regression, with its size, interval and p-value, if many cases are lost', () => {
    const comparison = compareRuns(runOfPasses(passes(95, 5)), runOfPasses(passes(75, 25)));
    expect(comparison.outcome).toBe('regression');
    expect(comparison.statement).toBe(
      'The pass rate fell by 20 points (-28 to -11), 100 paired cases, p < 0.001: a regression.',
    );
    expect(comparison.criteria).toMatchObject([
      { name: 'exact_match', verdict: 'regression', base: 0.95, candidate: 0.75 },
    ]);
  });

  it('reports an improvement if many cases are gained', () => {
    const comparison = compareRuns(runOfPasses(passes(75, 25)), runOfPasses(passes(95, 5)));
    expect(comparison.outcome).toBe('improvement');
    expect(comparison.statement).toMatch(/^The pass rate rose by 20 points .*: an improvement\.$/);
  });

  it('neither shows nor rules out a change with few cases', () => {
    const comparison = compareRuns(runOfPasses(passes(9, 1)), runOfPasses(passes(8, 2)));
    expect(comparison.outcome).toBe('no-change');
    expect(comparison.statement).toBe(
      'The pass rate fell by 10 points (-36 to 20), 10 paired cases, p = 0.5: no change of 5 points or more was shown or ruled out.',
    );
  });

  it('reports no change between runs with the same answers', () => {
    const run = runOfPasses(passes(9, 1));
    expect(compareRuns(run, run).statement).toBe(
      'The pass rate did not change (-23 to 23), 10 paired cases: no change of 5 points or more was shown or ruled out.',
    );
  });

  it('rules out a change between runs with the same answers in enough cases', () => {
    const [enough, tooFew] = [runOfPasses(passes(57, 2)), runOfPasses(passes(45, 1))];
    expect(compareRuns(enough, enough).statement).toBe(
      'The pass rate did not change (-4.5 to 4.5), 59 paired cases: a change of 5 points or more is ruled out.',
    );
    expect(compareRuns(tooFew, tooFew).passRate).toMatchObject({ verdict: 'open' });
  });

  it('counts a group of unchanged cases once', () => {
    const pairs = Array.from({ length: 80 }, (_, index) =>
      caseOf(`case ${index}`, [true], { group: `group ${index >> 1}` }),
    );
    const alone = runOfPasses(Array.from({ length: 80 }, () => [true]));
    expect(compareRuns(runOf(pairs), runOf(pairs)).passRate).toMatchObject({
      by: 'groups',
      units: 40,
      verdict: 'open',
    });
    expect(compareRuns(alone, alone).passRate).toMatchObject({ by: 'cases', units: 80, verdict: 'ruled-out' });
  });

  it('reports no regression below the smallest change that counts, however significant', () => {
    const [before, after] = [runOfPasses(passes(1000, 0)), runOfPasses(passes(970, 30))];
    expect(compareRuns(before, after)).toMatchObject({
      outcome: 'no-change',
      passRate: {
        verdict: 'small',
        text: expect.stringMatching(/: a change, but smaller than the 5 points that count$/),
      },
    });
    expect(compareRuns(before, after, { minEffect: 0.01 }).outcome).toBe('regression');
  });

  it('compares runs with so many cases that p underflows', () => {
    expect(compareRuns(runOfPasses(passes(40_000, 0)), runOfPasses(passes(0, 40_000)))).toMatchObject({
      outcome: 'regression',
      passRate: { interval: { low: -1, high: expect.closeTo(-1, 3) } },
    });
  });

  it('does not compare runs that have no case in common', () => {
    const other = runOf([caseOf('another', [true])]);
    expect(compareRuns(runOfPasses(passes(2, 0)), other)).toMatchObject({
      outcome: 'nothing-compared',
      statement: 'Nothing was compared: the runs have no case in common.',
      cases: {
        paired: 0,
        onlyBase: [{ caseId: 'case-0' }, { caseId: 'case-1' }],
        onlyCandidate: [{ caseId: 'another' }],
      },
    });
  });

  it('leaves out and names cases that give the agent different input', () => {
    const before = runOf([caseOf('a', [true]), caseOf('b', [true])]);
    const after = runOf([caseOf('a', [true]), caseOf('b', [false], { asked: 'something else' })]);
    expect(compareRuns(before, after)).toMatchObject({
      cases: { paired: 1, askedOtherwise: [{ setId: 'set', caseId: 'b' }] },
      differences: [{ about: 'case', text: '1 case gives the agent different input now, and is left out' }],
      flipped: [],
    });
  });

  it('names a changed agent, threshold or version, and does not compare rates with different thresholds', () => {
    const run = (more: Partial<RunOutcomes>) => runOfPasses(passes(3, 1), more);
    const stricter = { ...exactMatch, threshold: 0.5, origin: 'test 2.0.0' };
    const comparison = compareRuns(run({}), run({ agent: 'other.ts', criteria: [stricter] }));
    expect(comparison.differences.map(({ text }) => text)).toEqual([
      'the agents have different names: agent.ts and other.ts',
      'the threshold of exact_match was 1 and is 0.5',
      'exact_match came from test 1.0.0, and now from test 2.0.0',
    ]);
    expect(comparison.passRate).toBeNull();
    expect(comparison.notCompared).toEqual([
      { name: 'pass rate', why: 'criteria, thresholds or judges differ, so passing does not mean the same' },
    ]);
  });

  it('does not compare a criterion whose options or judge changed', () => {
    const run = (criteria: RunOutcomes['criteria']) => runOfPasses(passes(3, 1), { criteria });
    const other = compareRuns(run([exactMatch]), run([{ ...exactMatch, options: 'others' }]));
    expect(other.notCompared).toContainEqual({ name: 'exact_match', why: 'its options differ between the runs' });
    const judged = compareRuns(run([{ ...exactMatch, judges: ['a'] }]), run([{ ...exactMatch, judges: ['b'] }]));
    expect(judged.notCompared).toContainEqual({ name: 'exact_match', why: 'its judge was a, and is b' });
    expect(judged.outcome).toBe('nothing-compared');
  });

  it('lists flipped cases, lost ones first, each with an answer that fits its verdict', () => {
    const before = runOf([caseOf('a', [false]), caseOf('b', [true, true]), caseOf('c', [true])]);
    const after = runOf([caseOf('a', [true]), caseOf('b', [true, false]), caseOf('c', [true])]);
    expect(compareRuns(before, after).flipped).toMatchObject([
      {
        caseId: 'b',
        direction: 'lost',
        base: { verdict: 'passed', passed: 2, of: 2, answer: 'b true' },
        candidate: { verdict: 'failed', passed: 1, of: 2, answer: 'b false' },
      },
      { caseId: 'a', direction: 'gained' },
    ]);
  });

  it('counts a group once, so that ten cases that change together are one change', () => {
    const cases = (pass: boolean) =>
      Array.from({ length: 30 }, (_, index) =>
        caseOf(`case-${index}`, [index < 10 ? pass : true], { group: `group-${Math.floor(index / 10)}` }),
      );
    const comparison = compareRuns(runOf(cases(true)), runOf(cases(false)));
    expect(comparison.passRate).toMatchObject({
      difference: expect.closeTo(-1 / 3, 12),
      p: 1,
      verdict: 'too-few',
      units: 3,
    });
    expect(comparison.outcome).toBe('cannot-tell');
  });
});

describe('too few cases for any significant fall', () => {
  const repeated = (cases: number, repeats: number, pass: boolean) =>
    runOfPasses(Array.from({ length: cases }, () => Array<boolean>(repeats).fill(pass)));

  it('make a fall inconclusive, and the remedy is named', () => {
    for (const cases of [1, 2, 3, 4, 5]) {
      const comparison = compareRuns(repeated(cases, 1, true), repeated(cases, 1, false));
      expect(comparison.outcome).toBe('cannot-tell');
      expect(comparison.statement).toMatch(/can never show a regression; run both sides with --repeats [34]\.$/);
    }
    expect(compareRuns(repeated(6, 1, true), repeated(6, 1, false)).outcome).toBe('regression');
  });

  it('can show a regression with the suggested number of repeats', () => {
    for (const cases of [1, 2, 3, 4, 5]) {
      const { statement } = compareRuns(repeated(cases, 1, true), repeated(cases, 1, false));
      const repeats = Number(/--repeats (\d+)/.exec(statement)?.[1]);
      expect(compareRuns(repeated(cases, repeats, true), repeated(cases, repeats, false)).outcome).toBe('regression');
    }
  });

  it('are reported together with the side that has too few repeats', () => {
    const text = (before: number, after: number) =>
      compareRuns(repeated(5, before, true), repeated(5, after, false)).statement;
    expect(text(1, 3)).toMatch(
      /5 cases that ran once in the base run can never .*; run the base side with --repeats 3\.$/,
    );
    expect(text(3, 1)).toMatch(
      /5 cases that ran once in the new run can never .*; run the new side with --repeats 3\.$/,
    );
  });

  it('are reported even without a fall, stating what they cannot show', () => {
    const comparison = compareRuns(repeated(5, 1, true), repeated(5, 1, true));
    expect(comparison.outcome).toBe('no-change');
    expect(comparison.statement).toMatch(
      /: no change of 5 points or more was shown or ruled out; 5 cases that ran once can never show a regression; run both sides with --repeats 3\.$/,
    );
  });

  it('are counted by group if cases have groups', () => {
    const run = (groups: number, pass: boolean) =>
      runOf(
        Array.from({ length: 60 }, (_, index) =>
          caseOf(`case-${index}`, [pass, pass], { group: `group-${index % groups}` }),
        ),
      );
    const five = compareRuns(run(5, true), run(5, false));
    expect(five.statement).toMatch(
      /60 paired cases in 5 groups, p = 0.063: cannot tell, because 5 groups can never show a regression, which takes at least 6 groups\.$/,
    );
    expect(five.outcome).toBe('cannot-tell');
    expect(compareRuns(run(6, true), run(6, false)).outcome).toBe('regression');
  });

  it('are counted only among cases that pass in the base run', () => {
    const base = runOfPasses(passes(4, 36));
    expect(compareRuns(base, runOfPasses(passes(0, 40)))).toMatchObject({
      outcome: 'cannot-tell',
      passRate: { verdict: 'too-few' },
    });
  });
});

describe('repeats in both runs', () => {
  const shares = (cases: readonly number[], of: number) =>
    runOfPasses(cases.map((passed) => Array.from({ length: of }, (_, repeat) => repeat < passed)));

  it('decide whether these cases changed', () => {
    const comparison = compareRuns(shares([10, 10, 9, 10, 8], 10), shares([10, 1, 9, 10, 1], 10));
    expect(comparison.passRate).toMatchObject({ by: 'repeats', verdict: 'regression' });
    expect(comparison.statement).toMatch(
      /: a regression in these cases; whether cases like these would change is open \(p = 0\.[2-5]\d?\)\.$/,
    );
  });

  it('do not decide if a case ran once, has a group or stopped early', () => {
    const [before, after] = [shares([3, 3, 3], 3), shares([0, 0, 0], 3)];
    expect(compareRuns(before, after).passRate?.by).toBe('repeats');
    expect(compareRuns(before, runOfPasses([[false], [false], [false]])).passRate?.by).toBe('cases');
    const grouped = ({ cases }: RunOutcomes) => runOf(cases.map((one, index) => ({ ...one, group: `g${index >> 1}` })));
    expect(compareRuns(grouped(before), grouped(after)).passRate?.by).toBe('groups');
    const stoppedEarly = {
      casePassRate: 0.8,
      most: 60,
      cases: 3,
      stopped: 3,
      repeats: { ran: 9, of: 180 },
      calls: { made: 0, saved: 0 },
    };
    expect(compareRuns({ ...before, stoppedEarly }, { ...after, stoppedEarly }).passRate?.by).toBe('cases');
  });
});

describe('intervals of changes', () => {
  const repeats = fc.array(fc.boolean(), { minLength: 1, maxLength: 4 });
  const pairs = fc.array(fc.tuple(repeats, repeats), { minLength: 1, maxLength: 12 });

  it('stay within the possible range, have a width above 0, contain the difference and agree with p', () => {
    fc.assert(
      fc.property(pairs, fc.boolean(), (all, isGrouped) => {
        const run = (side: 0 | 1) =>
          runOf(
            all.map((own, index) => caseOf(`case-${index}`, own[side], isGrouped ? { group: `g${index % 4}` } : {})),
          );
        const { passRate } = compareRuns(run(0), run(1));
        const { interval, difference, adjustedP } = passRate ?? {};
        if (interval === undefined || isUnknown(interval)) return;
        expect(interval.low).toBeGreaterThanOrEqual(-1);
        expect(interval.high).toBeLessThanOrEqual(1);
        expect(interval.high - interval.low).toBeGreaterThan(0);
        expect(interval.low).toBeLessThanOrEqual(difference as number);
        expect(interval.high).toBeGreaterThanOrEqual(difference as number);
        expect(interval.low <= 0 && interval.high >= 0).toBe((adjustedP as number) > 0.05);
      }),
      { numRuns: runs(1000) },
    );
  });
});

it('intervals of changes contain the true change with groups of unequal size', () => {
  // One group of 40 cases and 20 cases alone; each group breaks with a probability of 0.3.
  const chance = createChance(5);
  const draws = runs(600);
  const sizes = [40, ...Array<number>(20).fill(1)];
  let held = 0;
  for (let draw = 0; draw < draws; draw++) {
    const broken = sizes.map(() => chance.uniform() < 0.3);
    const run = (isAfter: boolean) =>
      runOf(
        sizes.flatMap((size, group) =>
          Array.from({ length: size }, (_, index) => {
            const rate = isAfter && broken[group] ? 0 : 0.9;
            const passes = Array.from({ length: 3 }, () => chance.outcome(rate) === 1);
            return caseOf(`case-${group}-${index}`, passes, { group: `group-${group}` });
          }),
        ),
      );
    const { interval } = compareRuns(run(false), run(true)).passRate ?? {};
    if (interval !== undefined && !isUnknown(interval) && interval.low <= -0.27 && interval.high >= -0.27) held += 1;
  }
  // It would be 60 of 100 with one degree of freedom per group.
  expect(held / draws).toBeGreaterThanOrEqual(0.8);
});

describe('several deciding numbers', () => {
  /** Creates a run from each case's scores, one per criterion. */
  function run(scores: readonly (readonly number[])[]): RunOutcomes {
    const names = (scores[0] ?? []).map((_, index) => `criterion_${index}`);
    const criteria = names.map((name) => ({ ...exactMatch, name }));
    return runOf(
      scores.map((own, index) => ({
        ...caseOf(`case-${index}`, [own.every((score) => score === 1)]),
        criteria: names.map((name, at) => ({
          name,
          verdict: own[at] === 1 ? ('passed' as const) : ('failed' as const),
          score: own[at] as number,
          coverage: 1,
          scores: [own[at] as number],
        })),
      })),
      { criteria },
    );
  }

  it('are corrected together with their intervals, so that the comparison is rarely wrong', () => {
    const before = run(Array.from({ length: 12 }, () => [1, 1, 1]));
    const after = run(
      Array.from({ length: 12 }, (_, index) => [index < 7 ? 0 : 1, index === 11 ? 0 : 1, index === 10 ? 0 : 1]),
    );
    const { criteria, passRate } = compareRuns(before, after);
    // The pass rate falls in nine cases, the first criterion in seven, so p is 1/512 and 1/128 before correction for
    // four.
    expect(passRate?.adjustedP).toBeCloseTo(4 / 512, 12);
    expect(criteria[0]?.adjustedP).toBeCloseTo(3 / 128, 12);
    for (const { interval, adjustedP } of criteria) {
      if (!isUnknown(interval)) expect(interval.low <= 0 && interval.high >= 0).toBe((adjustedP as number) > 0.05);
    }
    const alone = compareRuns(
      run(Array.from({ length: 12 }, () => [1])),
      run(Array.from({ length: 12 }, (_, index) => [index < 7 ? 0 : 1])),
    );
    const [own] = alone.criteria;
    expect(own?.adjustedP).toBe(own?.p);
  });

  it('count once in the correction if they are equal in every case', () => {
    const [before, after] = [true, false].map((pass) => run(Array.from({ length: 6 }, () => [pass ? 1 : 0])));
    expect(compareRuns(before as RunOutcomes, after as RunOutcomes).passRate?.adjustedP).toBeCloseTo(1 / 64, 12);
  });

  it('are corrected for every comparison that sets the same exit code', () => {
    const [before, after] = [runOfPasses(passes(6, 0)), runOfPasses(passes(0, 6))];
    expect(compareRuns(before, after, { comparisons: 5 })).toMatchObject({
      outcome: 'cannot-tell',
      passRate: { adjustedP: expect.closeTo(5 / 64, 12), verdict: 'too-few' },
    });
  });
});

describe('cases selected by the verdicts of the other run', () => {
  const before = runOfPasses(passes(0, 22), { id: 'before' });
  const after = runOfPasses(passes(13, 9), { id: 'after', selectedBy: ['before'] });

  it('are shown without a verdict, and the reason is given', () => {
    for (const comparison of [compareRuns(before, after), compareRuns(after, before)]) {
      expect(comparison.outcome).toBe('nothing-compared');
      expect(comparison.statement).toMatch(
        /selected by what failed, and some of those would pass again without any change; run all cases to compare\.$/,
      );
      expect(comparison.passRate).toMatchObject({
        verdict: 'selected',
        p: { unknown: expect.any(String) },
        adjustedP: null,
      });
      expect(Math.abs(comparison.passRate?.difference ?? 0)).toBeCloseTo(13 / 22, 12);
    }
  });

  it('are compared if those verdicts come from a third run', () => {
    expect(compareRuns(before, { ...after, selectedBy: ['another'] }).outcome).toBe('improvement');
  });
});

describe('unjudged cases in a comparison', () => {
  it('make a regression inconclusive if those in the base could undo it', () => {
    // In the base, half of the failing cases timed out; the new run has judged them all.
    const before = runOfPasses([...passes(80, 0), ...passes(0, 0, 10), ...passes(0, 10)]);
    const after = runOfPasses([...passes(72, 8), ...passes(0, 10), ...passes(0, 10)]);
    const judged = runOfPasses([...passes(80, 0), ...passes(0, 20)]);
    expect(compareRuns(judged, after).outcome).toBe('regression');
    const open = runOfPasses([...passes(72, 8), ...passes(8, 2), ...passes(0, 10)]);
    expect(compareRuns(before, open).passRate).toMatchObject({ unjudged: 10, verdict: 'cannot-tell' });
  });

  it('are assumed to be like the rest if they are few and equally frequent in both runs', () => {
    const draw = createChance(3);
    const counts = { 'cannot-tell': 0, regression: 0 } as Record<string, number>;
    const draws = runs(400);
    for (let index = 0; index < draws; index++) {
      const rates = Array.from({ length: 100 }, () => draw.uniform() ** (1 / 4));
      const run = () =>
        runOfPasses(
          rates.map((rate) =>
            Array.from({ length: 3 }, () => (draw.uniform() < 0.05 ? null : draw.outcome(rate) === 1)),
          ),
        );
      const { outcome } = compareRuns(run(), run());
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    expect((counts['cannot-tell'] ?? 0) / draws).toBeLessThanOrEqual(0.2);
    expect((counts.regression ?? 0) / draws).toBeLessThanOrEqual(0.05);
  });

  it('make an improvement inconclusive', () => {
    const before = runOfPasses(passes(70, 30));
    const after = runOfPasses([...passes(40, 0, 30), ...passes(30, 0)]);
    const comparison = compareRuns(before, after);
    expect(comparison.passRate).toMatchObject({ pairs: 70, unjudged: 30, verdict: 'cannot-tell' });
    expect(comparison.statement).toBe(
      'The pass rate rose by 43 points (30 to 54), 70 paired cases, p < 0.001: cannot tell, because 30 cases could not be judged in full; at their worst, it did not change.',
    );
  });

  it('do not affect an improvement that would hold even at their worst', () => {
    const after = runOfPasses([...passes(50, 0, 10), ...passes(40, 0)]);
    expect(compareRuns(runOfPasses(passes(60, 40)), after).outcome).toBe('improvement');
  });

  it('do not hide a possible regression', () => {
    const after = runOfPasses(passes(60, 0, 40));
    expect(compareRuns(runOfPasses(passes(100, 0)), after)).toMatchObject({ outcome: 'cannot-tell' });
  });

  it('never count as an improvement on their own', () => {
    const pass = fc.constantFrom<Pass>(true, false, null);
    const run = fc.array(fc.array(pass, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(run, (cases) => {
        const unjudged = runOfPasses(cases.map((own) => own.map(() => null)));
        expect(compareRuns(runOfPasses(cases), unjudged).outcome).not.toBe('improvement');
        expect(compareRuns(unjudged, runOfPasses(cases)).outcome).not.toBe('improvement');
      }),
    );
  });

  it('never lead to a better outcome than failed ones', () => {
    const rank = { 'nothing-compared': 0, regression: 0, 'cannot-tell': 1, 'no-change': 2, improvement: 3 };
    const pair = fc.tuple(fc.boolean(), fc.constantFrom<Pass>(true, true, true, null));
    fc.assert(
      fc.property(fc.array(pair, { minLength: 20, maxLength: 60 }), (pairs) => {
        const base = runOfPasses(pairs.map(([before]) => [before]));
        const open = compareRuns(base, runOfPasses(pairs.map(([, after]) => [after])));
        const failed = compareRuns(base, runOfPasses(pairs.map(([, after]) => [after ?? false])));
        if (open.outcome === 'improvement') expect(rank[failed.outcome]).toBe(3);
      }),
    );
  });
});

it('the order of cases does not affect a comparison', () => {
  const pair = fc.tuple(fc.boolean(), fc.boolean());
  fc.assert(
    fc.property(fc.array(pair, { minLength: 2, maxLength: 30 }), fc.integer({ min: 1, max: 29 }), (pairs, by) => {
      const cases = (side: 0 | 1) => pairs.map((own, index) => caseOf(`case-${index}`, [own[side]]));
      const turn = <T>(list: readonly T[]) => [...list.slice(by % list.length), ...list.slice(0, by % list.length)];
      const plain = compareRuns(runOf(cases(0)), runOf(cases(1)));
      const turned = compareRuns(runOf(turn(cases(0))), runOf([...cases(1)].reverse()));
      expect(turned.statement).toBe(plain.statement);
    }),
  );
});

it('swapping the runs gives the opposite result', () => {
  const pair = fc.tuple(fc.boolean(), fc.boolean());
  fc.assert(
    fc.property(fc.array(pair, { minLength: 2, maxLength: 60 }), (pairs) => {
      const run = (side: 0 | 1) => runOfPasses(pairs.map((own) => [own[side]]));
      const [there, back] = [compareRuns(run(0), run(1)), compareRuns(run(1), run(0))];
      const opposite = { regression: 'improvement', improvement: 'regression' } as Readonly<Record<string, string>>;
      // `too-few` is reported only for a fall, never for a gain.
      const isFall = [there, back].some(({ passRate }) => passRate?.verdict === 'too-few');
      if (!isFall) expect(back.outcome).toBe(opposite[there.outcome] ?? there.outcome);
      expect(back.passRate?.p).toBe(there.passRate?.p);
    }),
  );
});
