import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caseOf, exactMatch, type Pass, runOf, runOfPasses } from './__fixtures__/outcomes.ts';
import { compareRuns } from './compare-runs.ts';
import type { RunOutcomes } from './run-outcomes.ts';

/** So many cases that pass and fail. */
function passes(passed: number, failed: number, unjudged = 0): readonly Pass[][] {
  return [
    ...Array.from({ length: passed }, () => [true]),
    ...Array.from({ length: failed }, () => [false]),
    ...Array.from({ length: unjudged }, () => [null]),
  ];
}

describe('two runs', () => {
  it('that lost many cases are a regression, with its size, interval and p', () => {
    const comparison = compareRuns(runOfPasses(passes(95, 5)), runOfPasses(passes(75, 25)));
    expect(comparison.outcome).toBe('regression');
    expect(comparison.statement).toBe(
      'The pass rate fell by 20 points (12 to 28), 100 paired cases, p < 0.001: a regression.',
    );
    expect(comparison.criteria).toMatchObject([
      { name: 'exact_match', verdict: 'regression', base: 0.95, candidate: 0.75 },
    ]);
  });

  it('that gained many are an improvement', () => {
    const comparison = compareRuns(runOfPasses(passes(75, 25)), runOfPasses(passes(95, 5)));
    expect(comparison.outcome).toBe('improvement');
    expect(comparison.statement).toMatch(/^The pass rate rose by 20 points .*: an improvement\.$/);
  });

  it('of few cases say how many would be needed', () => {
    const comparison = compareRuns(runOfPasses(passes(9, 1)), runOfPasses(passes(8, 2)));
    expect(comparison.outcome).toBe('no-change');
    expect(comparison.statement).toBe(
      'The pass rate fell by 10 points (-13 to 33), 10 paired cases, p = 1: too few cases to detect less than 28 points; 314 cases would detect 5 points.',
    );
  });

  it('with the same answers did not change', () => {
    const run = runOfPasses(passes(9, 1));
    expect(compareRuns(run, run).statement).toBe(
      'The pass rate did not change in any of 10 paired cases: too few cases to rule out a change of 5 points, which takes 59.',
    );
  });

  it('with the same answers in enough cases say no more than that nothing changed', () => {
    const [enough, tooFew] = [runOfPasses(passes(57, 2)), runOfPasses(passes(57, 1))];
    expect(compareRuns(enough, enough).statement).toBe('The pass rate did not change in any of 59 paired cases.');
    expect(compareRuns(enough, enough).passRate).toMatchObject({
      verdict: 'noise',
      interval: { unknown: 'no case changed' },
      casesForMinEffect: 59,
    });
    expect(compareRuns(tooFew, tooFew).passRate).toMatchObject({ verdict: 'too-few', casesForMinEffect: 59 });
  });

  it('count a group of unchanged cases once', () => {
    const pairs = Array.from({ length: 80 }, (_, index) =>
      caseOf(`case ${index}`, [true], { group: `group ${index >> 1}` }),
    );
    expect(compareRuns(runOf(pairs), runOf(pairs)).passRate).toMatchObject({
      verdict: 'too-few',
      casesForMinEffect: 118,
    });
  });

  it('that differ by less than counts are no regression, however sure the difference is', () => {
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

  it('with no case in common are not compared', () => {
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

  it('whose cases ask something else leave them out and name them', () => {
    const before = runOf([caseOf('a', [true]), caseOf('b', [true])]);
    const after = runOf([caseOf('a', [true]), caseOf('b', [false], { asked: 'something else' })]);
    expect(compareRuns(before, after)).toMatchObject({
      cases: { paired: 1, askedOtherwise: [{ setId: 'set', caseId: 'b' }] },
      differences: [{ about: 'case', text: '1 case gives the agent different input now, and is left out' }],
      flipped: [],
    });
  });

  it('name another agent, threshold and version, and do not compare rates of other thresholds', () => {
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

  it('do not compare a criterion with other options or another judge', () => {
    const run = (criteria: RunOutcomes['criteria']) => runOfPasses(passes(3, 1), { criteria });
    const other = compareRuns(run([exactMatch]), run([{ ...exactMatch, options: 'others' }]));
    expect(other.notCompared).toContainEqual({ name: 'exact_match', why: 'its options differ between the runs' });
    const judged = compareRuns(run([{ ...exactMatch, judges: ['a'] }]), run([{ ...exactMatch, judges: ['b'] }]));
    expect(judged.notCompared).toContainEqual({ name: 'exact_match', why: 'its judge was a, and is b' });
    expect(judged.outcome).toBe('nothing-compared');
  });

  it('show flipped cases: the lost ones first, each with an answer that shows the verdict', () => {
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

  it('count a group once: ten cases that change together are one change', () => {
    const cases = (pass: boolean) =>
      Array.from({ length: 30 }, (_, index) =>
        caseOf(`case-${index}`, [index < 10 ? pass : true], { group: `group-${Math.floor(index / 10)}` }),
      );
    const comparison = compareRuns(runOf(cases(true)), runOf(cases(false)));
    expect(comparison.passRate).toMatchObject({ difference: expect.closeTo(-1 / 3, 12), p: 1, verdict: 'too-few' });
  });
});

describe('what could not be judged', () => {
  it('makes an improvement one that cannot be told', () => {
    const before = runOfPasses(passes(70, 30));
    const after = runOfPasses([...passes(40, 0, 30), ...passes(30, 0)]);
    const comparison = compareRuns(before, after);
    expect(comparison.passRate).toMatchObject({ pairs: 70, unjudged: 30, verdict: 'cannot-tell' });
    expect(comparison.statement).toBe(
      'The pass rate rose by 43 points (31 to 55), 70 paired cases, p < 0.001: cannot tell, because 30 cases could not be judged in full; at their worst, it did not change.',
    );
  });

  it('leaves an improvement that would hold even then', () => {
    const after = runOfPasses([...passes(50, 0, 10), ...passes(40, 0)]);
    expect(compareRuns(runOfPasses(passes(60, 40)), after).outcome).toBe('improvement');
  });

  it('does not hide what would be a regression', () => {
    const after = runOfPasses(passes(60, 0, 40));
    expect(compareRuns(runOfPasses(passes(100, 0)), after)).toMatchObject({ outcome: 'cannot-tell' });
  });

  it('of a whole side is never an improvement', () => {
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

  it('never helps: judged as failed, no outcome is better', () => {
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

it('the order of cases changes nothing', () => {
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

it('exchanged runs say the opposite', () => {
  const pair = fc.tuple(fc.boolean(), fc.boolean());
  fc.assert(
    fc.property(fc.array(pair, { minLength: 2, maxLength: 60 }), (pairs) => {
      const run = (side: 0 | 1) => runOfPasses(pairs.map((own) => [own[side]]));
      const [there, back] = [compareRuns(run(0), run(1)), compareRuns(run(1), run(0))];
      const opposite = { regression: 'improvement', improvement: 'regression' } as Readonly<Record<string, string>>;
      expect(back.outcome).toBe(opposite[there.outcome] ?? there.outcome);
      expect(back.passRate?.p).toBe(there.passRate?.p);
    }),
  );
});
