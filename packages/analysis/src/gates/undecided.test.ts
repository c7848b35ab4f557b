import { describe, expect, it } from 'vitest';
import { caseOf, exactMatch, runOf, runOfPasses } from '../__fixtures__/outcomes.ts';
import type { CaseOutcome, CriterionOutcome } from '../outcome.ts';
import type { Gates } from './gate.ts';
import { gateResults } from './gate-results.ts';

const of = (run: ReturnType<typeof runOf>, gates: Gates, baseline: typeof run | null = null, decide = true) =>
  gateResults(run, gates, baseline, { decide }).map(({ name, holds }) => [name, holds]);

describe('gates that decide and compare with a baseline', () => {
  const base = runOfPasses(Array.from({ length: 200 }, () => [true]));
  const withNew = (...more: readonly CaseOutcome[]) => runOf([...base.cases, ...more]);
  const failed = withNew(caseOf('new-1', [false]), caseOf('new-2', [true]));

  it('cannot tell if cases that the baseline lacks failed, and name the remedy', () => {
    for (const gates of [{ regression: true }, { noWorseThan: 0.05 }]) {
      const results = gateResults(failed, gates, base, { decide: true });
      expect(results.map(({ holds }) => holds)).toEqual([true, null]);
      expect(results[1]).toEqual({
        name: 'decide',
        holds: null,
        text: 'of 2 cases that the baseline lacks or asks otherwise, 1 did not pass, and no gate asks about them: make a new baseline, or add the gate pass_rate',
      });
    }
  });

  it.each([
    ['it broke', caseOf('new', [null], { verdict: 'error', criteria: [] })],
    ['it could not be judged', caseOf('new', [null])],
    ['it asks the agent something else', caseOf('case-0', [false], { asked: 'something else' })],
  ])('cannot tell about a new case if %s', (_, one) => {
    const run = runOf([...base.cases.filter(({ caseId }) => caseId !== one.caseId), one]);
    expect(of(run, { regression: true }, base)).toEqual([
      ['regression', true],
      ['decide', null],
    ]);
  });

  it('need no further gate if all new cases passed, another gate counts them, or cases decide too', () => {
    expect(of(withNew(caseOf('new', [true])), { regression: true }, base)).toEqual([['regression', true]]);
    for (const gates of [
      { passRate: 0.9 },
      { casePassRate: 0 },
      { passHatK: { k: 1, rate: 0.5 } },
      { means: { exact_match: 0.9 } },
    ]) {
      const results = of(failed, { ...gates, regression: true }, base);
      expect(results).toHaveLength(2);
      expect(results.every(([name, holds]) => name !== 'decide' && holds === true)).toBe(true);
    }
    expect(of(failed, { regression: true }, base, false)).toEqual([['regression', true]]);
  });

  it('cannot tell without a baseline if only other gates hold', () => {
    const seconds = {
      ...exactMatch,
      name: 'seconds',
      range: { min: 0, max: 1, better: 'lower' as const },
      decides: false,
    };
    const cases = failed.cases.map((one): CaseOutcome => {
      const measured = { name: 'seconds', verdict: 'informational' as const, score: 0, coverage: 1, scores: [0] };
      return { ...one, criteria: [...one.criteria, measured] };
    });
    const run = runOf(cases, { criteria: [exactMatch, seconds] });
    const gates = { means: { seconds: 0.5 } };
    expect(of(run, gates)).toEqual([['means.seconds', true]]);
    expect(of(run, { ...gates, regression: true })).toEqual([
      ['means.seconds', true],
      ['decide', null],
    ]);
    // Without any gate, the cases decide.
    expect(of(run, { regression: true })).toEqual([]);
  });
});

describe('gates that decide about one of several criteria', () => {
  const judged = { ...exactMatch, name: 'judged' };
  /** Creates cases that pass `exact_match` and have these outcomes for `judged`; `null` is an agent error. */
  const run = (...all: readonly (Partial<CriterionOutcome> | null)[]) =>
    runOf(
      all.map((own, index): CaseOutcome => {
        const one = caseOf(`case-${index}`, [true]);
        if (own === null) return { ...one, verdict: 'error', reason: 'the agent broke', criteria: [] };
        const other = { name: 'judged', verdict: 'not-evaluated' as const, score: null, coverage: 0, scores: [null] };
        return { ...one, verdict: 'not-evaluated', criteria: [...one.criteria, { ...other, ...own }] };
      }),
      { criteria: [exactMatch, judged] },
    );
  const gates = { means: { exact_match: 0.1 } };
  const unjudged = { reason: '1 of 1 turns could not be judged: the judge is down.' };
  const passed = { verdict: 'passed' as const, score: 1, coverage: 1, scores: [1] };
  const skipped = { verdict: 'skipped' as const, coverage: null };

  it('cannot tell if no case could be judged by another criterion, which is named with the reason', () => {
    const results = gateResults(run(...Array(40).fill(unjudged)), gates, null, { decide: true });
    expect(results[0]?.holds).toBe(true);
    expect(results[1]).toEqual({
      name: 'decide',
      holds: null,
      text: 'no case could be judged by judged (1 of 1 turns could not be judged: the judge is down), and no gate asks about this criterion: repair that, or remove it from the config',
    });
  });

  it('cannot tell if a few cases failed and the others could not be judged', () => {
    expect(of(run(...Array(40).fill(unjudged), null), { means: { exact_match: 0 } })).toEqual([
      ['means.exact_match', true],
      ['decide', null],
    ]);
  });

  it.each([
    ['a case was judged by it', [...Array(40).fill(unjudged), passed], true],
    ['it applies to no case', Array(40).fill(skipped), true],
    ['it only measures', Array(40).fill(unjudged), false],
  ])('do not mention the other criterion if %s', (_, all, decides) => {
    const found = { ...run(...all), criteria: [exactMatch, { ...judged, decides }] };
    expect(of(found, gates)).toEqual([['means.exact_match', true]]);
  });

  it('leave a criterion to the gate that asks about it', () => {
    const found = run(...Array(40).fill(unjudged));
    expect(of(found, { means: { exact_match: 0.1, judged: 0.5 } })).toEqual([
      ['means.exact_match', true],
      ['means.judged', null],
    ]);
    expect(of(found, { ...gates, passRate: 0.5 })).toEqual([
      ['pass_rate', true],
      ['means.exact_match', true],
    ]);
  });
});
