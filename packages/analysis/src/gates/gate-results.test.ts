import { summarise, type Verdict } from '@agent-criteria/core/host';
import { outcomeOf } from '@agent-criteria/results';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { caseOf, exactMatch, type Pass, runOf, runOfPasses } from '../__fixtures__/outcomes.ts';
import { baselineFile, readBaseline } from '../baseline.ts';
import { compareRuns } from '../compare-runs.ts';
import type { CriterionOutcome } from '../outcome.ts';
import { caseStatus } from './case-pass-rate-gate.ts';
import { gateNames } from './gate-kinds.ts';
import { gateResults } from './gate-results.ts';

/** Repeats the given case. */
function times(count: number, passes: readonly Pass[]): readonly (readonly Pass[])[] {
  return Array.from({ length: count }, () => passes);
}

const holds = (run: ReturnType<typeof runOfPasses>, gates: Parameters<typeof gateResults>[1]) =>
  gateResults(run, gates, null).map((gate) => gate.holds);

describe('a gate on the pass rate', () => {
  it('holds if the whole interval reaches the limit', () => {
    const [gate] = gateResults(runOfPasses([...times(99, [true]), [false]]), { passRate: 0.9 }, null);
    expect(gate).toEqual({
      name: 'pass_rate',
      holds: true,
      text: 'the pass rate is 99% over 100 cases, and the lower end of its 95% confidence interval is 95%; the gate requires at least 90%',
    });
  });

  it('fails if the rate misses the limit, and is undecided if only the interval does', () => {
    expect(holds(runOfPasses([...times(89, [true]), ...times(11, [false])]), { passRate: 0.9 })).toEqual([false]);
    expect(holds(runOfPasses(times(20, [true])), { passRate: 0.9 })).toEqual([null]);
    const [gate] = gateResults(runOfPasses(times(20, [true])), { passRate: 0.9 }, null);
    expect(gate?.text).toContain('but the lower end of its 95% confidence interval is 84%: too few cases to tell');
  });

  it('counts unjudged cases at their worst, and cannot tell if it misses the limit only because of them', () => {
    const unjudged = (passed: number, failed: number, open: number) =>
      gateResults(
        runOfPasses([...times(passed, [true]), ...times(failed, [false]), ...times(open, [null])]),
        { passRate: 0.9 },
        null,
      )[0];
    expect(unjudged(80, 0, 20)?.holds).toBeNull();
    expect(unjudged(70, 20, 10)?.holds).toBe(false);
    // A judge that was down must not count as a pass rate of 0.
    expect(unjudged(0, 0, 3)).toEqual({
      name: 'pass_rate',
      holds: null,
      text: 'the pass rate is between 0% and 100% over 3 cases, 3 of which could not be judged: too much is unknown to tell; the gate requires at least 90%',
    });
  });
});

describe('a gate on a mean', () => {
  it('cannot tell if the run does not have the criterion', () => {
    const [gate] = gateResults(runOfPasses([[true]]), { means: { other: 0.5 } }, null);
    expect(gate).toMatchObject({ name: 'means.other', holds: null, text: 'no criterion of this run is called other' });
  });

  it('is a ceiling if lower is better', () => {
    const range = { min: 0, max: null, better: 'lower' } as const;
    const seconds = { ...exactMatch, name: 'seconds', range, decides: false, threshold: null };
    const values = [2, 3, 4, 3, 2, 3, 4, 3];
    const run = runOf(
      values.map((value, index) =>
        caseOf(`case-${index}`, [true], {
          criteria: [{ name: 'seconds', verdict: 'informational', score: value, coverage: 1, scores: [value] }],
        }),
      ),
      { criteria: [seconds] },
    );
    expect(holds(run, { means: { seconds: 4 } })).toEqual([true]);
    expect(holds(run, { means: { seconds: 3.1 } })).toEqual([null]);
    expect(holds(run, { means: { seconds: 2.5 } })).toEqual([false]);
  });
});

it('the names of gates are known before there is a run', () => {
  const gates = {
    passRate: 0.9,
    means: { exact_match: 0.5 },
    quantiles: { exact_match: { q: 0.9, limit: 1 } },
    passHatK: { k: 2, rate: 0.5 },
    flakyShare: 0.1,
    casePassRate: 0.8,
    cost: 1,
    regression: true,
    noWorseThan: 0.05,
  };
  const run = runOfPasses([[true, true], [false]]);
  for (const baseline of [null, run]) {
    const names = gateResults(run, gates, baseline).map(({ name }) => name);
    expect(gateNames(gates, baseline)).toEqual(names);
    expect(names).toHaveLength(baseline === null ? 7 : 9);
  }
});

describe('a gate on cost', () => {
  const withCosts = (...costs: readonly (readonly (number | { readonly unknown: string } | undefined)[])[]) =>
    runOf(
      costs.map((own, index) => {
        const one = caseOf(
          `case-${index}`,
          own.map(() => true),
        );
        return { ...one, repeats: one.repeats.map((repeat, place) => ({ ...repeat, cost: own[place] })) };
      }),
    );
  const costs = [2, 3, 4, 3, 2, 3, 4, 3].map((cost) => [cost]);

  it('limits the upper end of the interval of the mean over cases', () => {
    expect(holds(withCosts(...costs), { cost: 4 })).toEqual([true]);
    expect(holds(withCosts(...costs), { cost: 3.1 })).toEqual([null]);
    expect(holds(withCosts(...costs), { cost: 2.9 })).toEqual([false]);
    const [gate] = gateResults(withCosts(...costs), { cost: 4 }, null);
    expect(gate?.text).toBe(
      'the mean cost of a conversation is 3 over 8 cases, and the upper end of its 95% confidence interval is 3.63; the gate allows at most 4',
    );
    // Repeats of a case count as one case.
    const [repeated] = gateResults(withCosts(...costs.map(([cost]) => [cost, cost])), { cost: 4 }, null);
    expect(repeated).toEqual(gate);
  });

  it('cannot tell if the cost of any conversation is unknown', () => {
    const [gate] = gateResults(withCosts(...costs, [1, { unknown: 'no price' }]), { cost: 1 }, null);
    expect(gate).toMatchObject({ holds: null, text: 'the cost of 1 conversation is unknown: no price' });
    expect(holds(withCosts(...costs, [undefined]), { cost: 100 })).toEqual([null]);
    expect(holds(withCosts([]), { cost: 100 })).toEqual([null]);
    expect(holds(withCosts(), { cost: 100 })).toEqual([null]);
  });
});

describe('a gate on a quantile', () => {
  const range = { min: 0, max: null, better: 'lower' } as const;
  const seconds = { ...exactMatch, name: 'seconds', range, decides: false, threshold: null };
  /** Creates `count` cases that take 0.1 s, 0.2 s and so on. */
  const run = (count: number) =>
    runOf(
      Array.from({ length: count }, (_, index) => {
        const value = (index + 1) / 10;
        const criterion = {
          name: 'seconds',
          verdict: 'informational' as const,
          score: value,
          coverage: 1,
          scores: [value],
        };
        return caseOf(`case-${index}`, [true], { criteria: [criterion] });
      }),
      { criteria: [seconds] },
    );
  const quantile = (limit: number) => ({ quantiles: { seconds: { q: 0.9, limit } } });

  it('is decided by the upper end of its interval', () => {
    expect(holds(run(100), quantile(10))).toEqual([true]);
    expect(holds(run(100), quantile(9.2))).toEqual([null]);
    expect(holds(run(100), quantile(8))).toEqual([false]);
    expect(gateResults(run(100), quantile(10), null)[0]?.text).toBe(
      'the 90% quantile of seconds is 9, and the upper end of its 95% confidence interval is 9.6; the gate allows at most 10',
    );
  });

  it('writes numbers with enough digits to differ from the limit, which is shown as in the config', () => {
    const cases = [...times(1791, [true]), ...times(209, [false])];
    const text = (passRate: number) => gateResults(runOfPasses(cases), { passRate }, null)[0]?.text;
    expect(text(0.9)).toBe('the pass rate is 89.55% over 2000 cases; the gate requires at least 90%');
    expect(text(0.855)).toContain(
      'is 90% over 2000 cases, and the lower end of its 95% confidence interval is 88%; the gate requires at least 85.5%',
    );
  });

  it('cannot tell with too few cases', () => {
    expect(gateResults(run(20), quantile(10), null)).toMatchObject([
      { holds: null, text: expect.stringContaining('at least 36 cases are needed') },
    ]);
  });
});

describe('gates on repeats', () => {
  const stable = runOfPasses(times(60, [true, true, true]));
  const flaky = runOfPasses([...times(50, [true, true, true]), ...times(10, [true, false, true])]);

  it('a gate on pass^k holds if all repeats pass, but not if cases are flaky', () => {
    expect(holds(stable, { passHatK: { k: 3, rate: 0.9 } })).toEqual([true]);
    expect(holds(flaky, { passHatK: { k: 3, rate: 0.9 } })).toEqual([false]);
    expect(holds(runOfPasses(times(60, [true])), { passHatK: { k: 3, rate: 0.9 } })).toEqual([null]);
  });

  it('pass^k is known for every k up to the number of repeats', () => {
    const eight = runOfPasses(times(60, Array<boolean>(8).fill(true)));
    for (const k of [1, 2, 3, 4, 5, 6, 7, 8]) expect(holds(eight, { passHatK: { k, rate: 0.9 } })).toEqual([true]);
    expect(gateResults(eight, { passHatK: { k: 9, rate: 0.9 } }, null)[0]?.text).toBe(
      'pass^9 is unknown: no case ran 9 times; use --num_runs 9',
    );
    const uneven = runOfPasses([...times(30, [true, true]), ...times(30, [true, true, true])]);
    expect(gateResults(uneven, { passHatK: { k: 3, rate: 0.9 } }, null)).toMatchObject([
      { holds: null, text: 'pass^3 is unknown: not every case ran 3 times; use --num_runs 3' },
    ]);
  });

  it('gates on how often cases pass cannot tell if cases stopped early', () => {
    const stoppedEarly = (stopped: number) => ({
      casePassRate: 0.8,
      most: 60,
      cases: 60,
      stopped,
      repeats: { ran: 1800, of: 3600 },
      calls: { made: 1800, saved: 1800 },
    });
    const cases = times(60, Array<boolean>(30).fill(true));
    const gates = {
      passRate: 0.9,
      means: { exact_match: 0.9 },
      quantiles: { exact_match: { q: 0.1, limit: 0.9 } },
      passHatK: { k: 3, rate: 0.9 },
      flakyShare: 0.1,
      casePassRate: 0.8,
    };
    expect(holds(runOfPasses(cases), gates)).toEqual(Array(6).fill(true));
    expect(holds(runOfPasses(cases, { stoppedEarly: stoppedEarly(0) }), gates)).toEqual(Array(6).fill(true));
    const stopped = runOfPasses(cases, { stoppedEarly: stoppedEarly(60) });
    expect(holds(stopped, gates)).toEqual([null, null, null, null, null, true]);
    // Failing repeats may cost more or less than others, so stopping early biases the mean.
    const paid = stopped.cases.map((one, index) => {
      return { ...one, repeats: one.repeats.map((repeat) => ({ ...repeat, cost: 1 + (index % 2) })) };
    });
    expect(holds({ ...stopped, cases: paid }, { cost: 9 })).toEqual([null]);
    expect(holds({ ...stopped, cases: paid, stoppedEarly: stoppedEarly(0) }, { cost: 9 })).toEqual([true]);
    expect(gateResults(stopped, gates, null)[0]?.text).toBe(
      '60 cases stopped early (--num_runs auto), which makes cases look better or worse than they are; use a fixed number of repeats',
    );
  });

  it('gates on verdicts cannot tell if no criterion decides', () => {
    const measured = runOf([caseOf('case', [null, null], { verdict: 'informational' })]);
    const gates = { passRate: 0, passHatK: { k: 1, rate: 0.1 }, flakyShare: 1, casePassRate: 0.5 };
    for (const { holds: own, text } of gateResults(measured, gates, null)) {
      expect([own, text]).toEqual([null, 'no criterion of this run decides, so no case passes or fails']);
    }
  });

  it('the gate on flaky cases uses the observed share', () => {
    expect(holds(stable, { flakyShare: 0 })).toEqual([true]);
    expect(holds(flaky, { flakyShare: 0.1 })).toEqual([false]);
    expect(holds(flaky, { flakyShare: 0.2 })).toEqual([true]);
    expect(holds(runOfPasses([...times(9, [true, true]), [null, null]]), { flakyShare: 0.05 })).toEqual([null]);
  });

  it('the gate on the pass rate of each case uses a confidence sequence', () => {
    const repeats = (passed: number, failed: number) => [...Array(passed).fill(true), ...Array(failed).fill(false)];
    expect(holds(runOfPasses([repeats(40, 0)]), { casePassRate: 0.8 })).toEqual([true]);
    expect(holds(runOfPasses([repeats(40, 0), repeats(4, 16)]), { casePassRate: 0.8 })).toEqual([false]);
    expect(holds(runOfPasses([repeats(3, 0)]), { casePassRate: 0.8 })).toEqual([null]);
  });

  it('a repeat that could not be judged never decides a case', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom<Pass>(true, false, null), { maxLength: 60 }), (passes) => {
        const standing = (list: readonly Pass[]) => caseStatus(caseOf('case', list), 0.8, 10);
        const [worst, best] = [passes.map((pass) => pass ?? false), passes.map((pass) => pass ?? true)];
        if (standing(passes) === 'above') expect(standing(worst)).toBe('above');
        if (standing(passes) === 'below') expect(standing(best)).toBe('below');
      }),
    );
  });
});

describe('a gate against a baseline', () => {
  const before = runOfPasses(times(60, [true]));
  const after = runOfPasses([...times(40, [true]), ...times(20, [false])]);

  it('the regression gate does not hold for a regression, and does not apply without a baseline', () => {
    expect(gateResults(after, { regression: true }, before)).toMatchObject([{ name: 'regression', holds: false }]);
    expect(gateResults(before, { regression: true }, after)).toMatchObject([{ holds: true }]);
    expect(gateResults(after, { regression: true }, null)).toEqual([]);
  });

  it('the regression gate cannot tell with too few cases for a significant fall, so the exit code is not 0', () => {
    const results = gateResults(runOfPasses(times(5, [false])), { regression: true }, runOfPasses(times(5, [true])));
    expect(results).toMatchObject([{ holds: null, text: expect.stringMatching(/run both sides with --repeats 3$/) }]);
    const summary = summarise(times(5, [false]).map(() => ({ verdict: 'failed' as Verdict })));
    expect(outcomeOf({ summary, gates: results, decide: true }).exitCode).toBe(3);
  });

  it('the regression gate holds if nothing fell, and states what so few cases cannot show', () => {
    const same = runOfPasses(times(5, [true]));
    expect(gateResults(same, { regression: true }, same)).toMatchObject([
      {
        holds: true,
        text: expect.stringMatching(/^no regression was found; .*5 cases that ran once can never show a regression/),
      },
    ]);
  });

  it('the regression gate claims that a regression is ruled out only if it is', () => {
    const text = (cases: number) => {
      const same = runOfPasses(times(cases, [true]));
      return gateResults(same, { regression: true }, same)[0]?.text;
    };
    expect(text(100)).toMatch(/^a regression of 5 points or more is ruled out; /);
    expect(text(20)).toMatch(/^no regression was found; /);
  });

  it('the regression gate, if decided by repeats, mentions the provider and how to confirm a regression', () => {
    const results = gateResults(
      runOfPasses(times(4, [false, false, true])),
      { regression: true },
      runOfPasses(times(4, [true, true, true])),
    );
    expect(results).toMatchObject([
      { holds: false, text: expect.stringMatching(/model or its provider .* --confirm/) },
    ]);
  });

  it('the regression gate is decided by both runs together if the second confirms the first', () => {
    const of = (passes: readonly Pass[]) => runOfPasses(times(4, passes));
    const [base, bad] = [of([true, true, true]), of([false, false, true])];
    const gate = (run: typeof base, confirms: typeof base) =>
      gateResults(run, { regression: true }, base, { confirms })[0];
    expect(gate(bad, bad)).toMatchObject({
      holds: false,
      text: expect.stringMatching(/^confirmed by a second run; of both together, the pass rate fell by 67 points/),
    });
    const unlucky = runOfPasses([[false, true, true], ...times(3, [true, true, true])]);
    expect(gate(base, unlucky)).toMatchObject({
      holds: true,
      text: expect.stringMatching(/^not confirmed by a second run/),
    });
  });

  it('the regression gate cannot tell if nothing could be judged, whatever the results of other criteria', () => {
    const judge = { ...exactMatch, name: 'judge' };
    const [given] = caseOf('any', [true]).criteria;
    if (given === undefined) throw new Error('a case has a criterion');
    const of = (judged: boolean) =>
      runOf(
        Array.from({ length: 8 }, (_, index) => {
          const score = judged
            ? { score: 1, coverage: 1, scores: [1] }
            : { score: null, coverage: 0, scores: [null], verdict: 'not-evaluated' as const };
          return caseOf(`${index}`, [judged ? true : null], {
            criteria: [given, { ...given, name: 'judge', ...score }],
          });
        }),
        { criteria: [exactMatch, judge] },
      );
    expect(gateResults(of(false), { regression: true }, of(true))).toMatchObject([
      {
        holds: null,
        text: 'the pass rate: no case has a score in both runs, because 8 cases could not be judged in full',
      },
    ]);
    expect(compareRuns(of(true), of(false)).outcome).toBe('cannot-tell');
  });

  it('the regression gate cannot tell if most of a few cases could not be judged', () => {
    const [base, run] = [times(5, [true]), [[true], ...times(4, [null])]] as const;
    expect(gateResults(runOfPasses(run), { regression: true }, runOfPasses(base))).toMatchObject([{ holds: null }]);
  });

  it('the regression gate treats an unjudged case like a failed one, so with few cases it cannot tell', () => {
    const base = runOfPasses(times(4, [true]));
    const asked = (pass: Pass) => gateResults(runOfPasses([[pass], ...times(3, [true])]), { regression: true }, base);
    expect(asked(false)).toMatchObject([{ holds: null }]);
    expect(asked(null)).toMatchObject([{ holds: null, text: expect.stringContaining('1 case could not be judged') }]);
    expect(asked(true)).toMatchObject([{ holds: true }]);
  });

  it('the regression gate, when it holds, says how many cases could not be judged', () => {
    const base = runOfPasses(times(20, [true]));
    const run = runOfPasses([...times(4, [null]), ...times(16, [true])]);
    const text = expect.stringMatching(/4 cases could not be judged in full$/);
    expect(gateResults(run, { regression: true }, base)).toMatchObject([{ holds: true, text }]);
    expect(gateResults(run, { noWorseThan: 0.9 }, base)).toMatchObject([{ holds: true, text }]);
  });

  it('a regression is not called confirmed if the second run has no fall or could not be judged', () => {
    const of = (pass: Pass) => runOfPasses(times(12, [pass]));
    const [base, bad, unjudged] = [of(true), of(false), of(null)];
    const text = (run: typeof base) => gateResults(run, { regression: true }, base, { confirms: bad })[0]?.text;
    expect(text(base)).toMatch(
      /^not seen again in a second run, but of both together, the pass rate fell by 50 points/,
    );
    expect(text(unjudged)).toMatch(/^a second run could not be compared; of both together, the pass rate fell/);
    expect(text(bad)).toMatch(/^confirmed by a second run; of both together, the pass rate fell by 100 points/);
  });

  it.each([{ regression: true }, { noWorseThan: 0.05 }] as const)(
    'mentions failed cases that could not be compared: %o',
    (gates) => {
      const base = runOfPasses(times(200, [true]));
      const more = [0, 1, 2].map((index) => caseOf(`new-${index}`, [index === 2]));
      const moved = caseOf('moved', [false], { asked: 'something else' });
      const before = runOf([...base.cases, caseOf('moved', [true])]);
      const run = runOf([...base.cases, moved, ...more]);
      expect(gateResults(run, gates, before)[0]).toMatchObject({
        holds: true,
        text: expect.stringContaining(
          '; not compared: 4 cases that the baseline lacks or asks otherwise, of which 3 did not pass',
        ),
      });
      expect(gateResults(before, gates, before)[0]?.text).not.toContain('not compared');
    },
  );

  it('the regression gate says only once that it cannot tell', () => {
    const [good, bad, half] = [
      runOfPasses(times(5, [true])),
      runOfPasses(times(5, [false])),
      runOfPasses([...times(10, [true]), ...times(10, [null])]),
    ];
    for (const [run, before] of [
      [bad, good],
      [half, runOfPasses(times(20, [true]))],
    ] as const) {
      const [gate] = gateResults(run, { regression: true }, before);
      expect(gate?.holds).toBe(null);
      expect(gate?.text).toMatch(/paired cases.*, but .*(can never show a regression|could not be judged in full)/);
      expect(gate?.text).not.toContain('cannot tell');
    }
  });

  it('the regression gate is corrected for the number of variants compared with a baseline', () => {
    const [good, bad] = [runOfPasses(times(6, [true])), runOfPasses(times(6, [false]))];
    expect(gateResults(bad, { regression: true }, good)).toMatchObject([{ holds: false }]);
    expect(gateResults(bad, { regression: true }, good, { comparisons: 5 })).toMatchObject([{ holds: null }]);
  });

  it('the regression gate gives the same result with a baseline from a file', () => {
    const read = readBaseline(JSON.parse(JSON.stringify(baselineFile(before))), 'baseline.json');
    expect(compareRuns(read, after)).toMatchObject({ outcome: 'regression', differences: [] });
    expect(compareRuns(read, after).passRate).toEqual(compareRuns(before, after).passRate);
  });
});

describe('a baseline file', () => {
  it('contains no text from an agent or a judge', () => {
    const reason = 'because of what the agent said';
    const [unjudged] = caseOf('case', [null]).criteria;
    const criteria = [{ ...unjudged, reason } as CriterionOutcome];
    const file = JSON.stringify(baselineFile(runOf([caseOf('case', [false], { reason, criteria })])));
    expect(file).not.toContain(reason);
    expect(file).not.toContain('case false');
  });

  it('is rejected, with the position, if it is damaged, too new or of another kind', () => {
    const file = baselineFile(runOfPasses([[true]]));
    const read = (value: unknown) => () => readBaseline(value, 'b.json');
    expect(read({ eval_set_id: 'a' })).toThrow('not a baseline');
    expect(read({ ...file, format: 2 })).toThrow('format 2');
    expect(read({ ...file, format: { toString: 1 } })).toThrow('"format" must be a number');
    expect(read({ ...file, cases: [{ ...file.cases[0], passed: ['yes'] }] })).toThrow('"cases[0]" is damaged');
    expect(read({ ...file, criteria: [{}] })).toThrow('"criteria" is missing or damaged');
  });
});

describe('a repeat that could not be judged', () => {
  const repeats = fc.array(fc.constantFrom<Pass>(true, true, true, false, null), { minLength: 1, maxLength: 5 });
  const group = fc.constantFrom(null, null, 'first', 'second');
  const cases = fc.array(fc.record({ repeats, group }), { minLength: 1, maxLength: 20 });
  const share = fc.double({ min: 0.02, max: 1, noNaN: true });
  const gates = fc
    .record({ share, flakyShare: share, k: fc.integer({ min: 1, max: 3 }), casePassRate: fc.constantFrom(0.1, 0.5) })
    .map(({ share, flakyShare, k, casePassRate }) => ({
      passRate: share,
      means: { exact_match: share },
      quantiles: { exact_match: { q: 0.5, limit: share } },
      passHatK: { k, rate: share },
      flakyShare,
      casePassRate,
    }));
  const runOfCases = (all: readonly { readonly repeats: readonly Pass[]; readonly group: string | null }[]) =>
    runOf(
      all.map(({ repeats: own, group }, index) => {
        const one = caseOf(`case-${index}`, own, { group });
        // A case whose agent failed has no criteria.
        return own.every((pass) => pass === null) ? { ...one, verdict: 'error', criteria: [] } : one;
      }),
    );

  it('never makes a gate hold that would not hold if the repeat had failed', () => {
    fc.assert(
      fc.property(cases, gates, fc.nat(), fc.nat(), (all, asked, one, other) => {
        const found = (pass: Pass) =>
          gateResults(
            runOfCases(
              all.map((own, index) => {
                if (index !== one % all.length) return own;
                return { ...own, repeats: own.repeats.with(other % own.repeats.length, pass) };
              }),
            ),
            asked,
            null,
          );
        const [open, failed, passed] = [found(null), found(false), found(true)];
        for (const [index, { name, holds: own }] of open.entries()) {
          if (own !== true) continue;
          expect(failed[index]?.holds, name).toBe(true);
          // The case counts as flaky if it would be flaky had the repeat passed.
          if (name === 'flaky_share') expect(passed[index]?.holds).toBe(true);
        }
      }),
      { numRuns: runs(3000) },
    );
  });
});

describe('the gate no_worse_than', () => {
  const times = (count: number, passes: readonly Pass[]) => Array.from({ length: count }, () => passes);
  const gate = (before: readonly (readonly Pass[])[], after: readonly (readonly Pass[])[]) =>
    gateResults(runOfPasses(after), { noWorseThan: 0.05 }, runOfPasses(before))[0];

  it('holds only if the whole interval of the change is above the margin', () => {
    expect(gate(times(200, [true]), times(200, [true]))).toMatchObject({ name: 'no_worse_than', holds: true });
    expect(gate(times(20, [true]), times(20, [true]))).toMatchObject({
      holds: null,
      text: 'the pass rate did not change over 20 paired cases, but the lower end of its 95% confidence interval is a fall of 13 points: too few cases to tell; the gate requires a fall of less than 5 points to be shown',
    });
    expect(gate(times(200, [true]), [...times(170, [true]), ...times(30, [false])])).toMatchObject({ holds: false });
  });

  it('counts unjudged cases against the run', () => {
    const open = [...times(190, [true]), ...times(10, [null])];
    expect(gate(times(200, [true]), open)).toMatchObject({
      holds: null,
      text: expect.stringMatching(/10 cases could not be judged in full and may hide a larger fall/),
    });
  });

  it('cannot tell if cases stopped early', () => {
    const stoppedEarly = {
      casePassRate: 0.8,
      most: 60,
      cases: 200,
      stopped: 200,
      repeats: { ran: 200, of: 12_000 },
      calls: { made: 0, saved: 0 },
    };
    const run = runOfPasses(times(200, [true]), { stoppedEarly });
    expect(gateResults(run, { noWorseThan: 0.05 }, run)).toMatchObject([
      { name: 'no_worse_than', holds: null, text: expect.stringMatching(/^200 cases stopped early/) },
    ]);
  });

  it('cannot tell if the runs have different rules', () => {
    const other = runOfPasses(times(9, [true]), { criteria: [{ ...exactMatch, threshold: 0.5 }] });
    expect(gateResults(other, { noWorseThan: 0.05 }, runOfPasses(times(9, [true])))).toMatchObject([
      {
        holds: null,
        text: expect.stringMatching(/^the pass rate cannot be compared: criteria, thresholds or judges differ/),
      },
    ]);
  });

  it('never holds if the rate fell by the margin or more, even if unjudged repeats hide the fall', () => {
    const pass = fc.constantFrom<Pass>(true, true, true, false);
    const pairs = fc.array(fc.tuple(pass, pass, fc.boolean()), { minLength: 1, maxLength: 150 });
    fc.assert(
      fc.property(pairs, (all) => {
        const before = all.map(([one]) => [one]);
        const found = gate(
          before,
          all.map(([, other]) => [other]),
        );
        const hidden = gate(
          before,
          all.map(([, other, isHidden]) => [isHidden ? null : other]),
        );
        const falls = all.reduce((sum, [one, other]) => sum + Number(one) - Number(other), 0) / all.length;
        if (falls >= 0.05) expect(found?.holds).toBe(false);
        if (hidden?.holds === true) expect(falls).toBeLessThan(0.05);
      }),
      { numRuns: runs(500) },
    );
  });
});
