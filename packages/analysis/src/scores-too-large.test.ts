import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { caseOf, exactMatch, runOf } from './__fixtures__/outcomes.ts';
import { analyseRun } from './analyse-run.ts';
import { compareRuns } from './compare-runs.ts';
import { comparedCases } from './compared-cases.ts';
import { gateResults } from './gates/gate-results.ts';
import type { CriterionFacts } from './instrument.ts';
import { judgeNoise } from './judge-noise.ts';
import type { CaseOutcome } from './outcome.ts';
import type { RunOutcomes } from './run-outcomes.ts';
import { statisticsSections } from './text/statistics.ts';

const tokens: CriterionFacts = {
  ...exactMatch,
  name: 'tokens',
  range: { min: 0, max: null, better: 'lower' },
  threshold: 5,
};

/** Creates a run from each case's scores, one per repeat. */
function scored(all: readonly (readonly (number | null)[])[], facts = tokens, more: Partial<CaseOutcome>[] = []) {
  const cases = all.map((scores, index): CaseOutcome => {
    const known = scores.filter((score) => score !== null);
    const passes = scores.map((score) => (score === null ? null : score <= 5));
    const criterion = {
      name: facts.name,
      verdict: 'passed' as const,
      score: known[0] ?? null,
      coverage: known.length / scores.length,
      scores,
    };
    return { ...caseOf(`case-${index}`, passes), criteria: [criterion], ...more[index] };
  });
  return runOf(cases, { criteria: [facts] });
}

const huge = scored([[1], [2], [1e308], [1], [2], [3], [1], [2]]);
const small = scored([[1], [2], [1], [1], [2], [3], [1], [2]]);
const why = 'the score of tokens in the case case-2 is 1e+308, and nothing is computed from numbers beyond 1e+100';

it('a mean over a score that is too large to compute with is unknown, and the reason names criterion and case', () => {
  const analysis = analyseRun(huge);
  expect(analysis.criteria[0]).toMatchObject({ value: null, interval: { unknown: why } });
  expect(statisticsSections([analysis])[0]?.lines).toContain(`mean of tokens unknown: ${why}`);
});

it('gates on scores that are too large to compute with cannot tell, and name the reason', () => {
  const gates = { means: { tokens: 1e308 }, quantiles: { tokens: { q: 0.5, limit: 1e308 } } };
  expect(gateResults(huge, gates, null)).toEqual([
    { name: 'means.tokens', holds: null, text: why },
    { name: 'quantiles.tokens', holds: null, text: why },
  ]);
});

it('a comparison with scores that are too large cannot tell, whichever run has them, and is never a pass', () => {
  for (const [base, candidate] of [
    [small, huge],
    [huge, small],
    [huge, huge],
  ] as const) {
    const found = compareRuns(base, candidate);
    expect(found.outcome).toBe('cannot-tell');
    expect(found.statement).toBe(`T${why.slice(1)}.`);
    expect(found.notCompared).toEqual([{ name: 'tokens', why }]);
    expect(gateResults(candidate, { regression: true }, base)).toEqual([
      { name: 'regression', holds: null, text: why },
    ]);
  }
  // A criterion that does not decide is left out in the same way.
  const measured = ({ cases }: RunOutcomes) => runOf(cases, { criteria: [{ ...tokens, decides: false }] });
  const notRestricted = compareRuns(measured(small), measured(huge));
  expect(notRestricted.notCompared).toContainEqual({ name: 'tokens', why });
});

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, 1, 1e99, -1e100, 1e100, 1e154, 1e308, -1e308, Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324),
);
const ends = fc
  .tuple(number, fc.option(number))
  .map(([a, b]) => (b === null ? { min: a, max: null } : { min: Math.min(a, b), max: Math.max(a, b) }))
  .filter(({ min, max }) => max === null || min < max);
const facts = fc.record({ ends, better: fc.constantFrom('higher', 'lower'), decides: fc.boolean() }).map(
  ({ ends, better, decides }): CriterionFacts => ({
    ...tokens,
    decides,
    range: { ...ends, better: better as 'higher' },
  }),
);
const scores = fc.array(fc.array(fc.option(number, { freq: 8 }), { minLength: 1, maxLength: 3 }), { maxLength: 12 });
const groups = fc.array(fc.record({ group: fc.constantFrom(null, 'a', 'b') }), { maxLength: 12 });

it('any finite scores can be analysed without an exception or infinite numbers', () => {
  fc.assert(
    fc.property(facts, scores, scores, groups, number, (criterion, before, after, more, limit) => {
      const clipped = (all: typeof before) =>
        all.map((own) =>
          own.map((score) => {
            const { min, max } = criterion.range;
            return score === null ? null : Math.min(max ?? score, Math.max(min, score));
          }),
        );
      const [base, candidate] = [scored(clipped(before), criterion, more), scored(clipped(after), criterion, more)];
      const gates = {
        passRate: 0.5,
        means: { tokens: limit },
        quantiles: { tokens: { q: 0.5, limit } },
        regression: true,
        noWorseThan: 0.05,
      };
      const analysis = analyseRun(candidate);
      const judged = candidate.cases.map(({ setId, caseId, criteria }) => ({
        setId,
        caseId,
        repeat: 0,
        scores: criteria[0]?.scores ?? [],
        verdicts: [],
      }));
      const all = [
        analysis,
        statisticsSections([analysis]),
        compareRuns(base, candidate),
        comparedCases(base, candidate),
        gateResults(candidate, gates, base, { confirms: base, decide: true }),
        judgeNoise({ criterion: 'tokens', judges: [], prompts: [], options: '' } as never, judged as never),
      ];
      const text = JSON.stringify(all, (_, value) =>
        typeof value === 'number' && !Number.isFinite(value) ? 'BAD' : value,
      );
      expect(text).not.toContain('BAD');
      expect(text).not.toMatch(/NaN|Infinity|∞/);
    }),
    { numRuns: runs(4000) },
  );
});
