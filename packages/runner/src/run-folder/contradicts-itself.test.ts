import { type Criterion, defineCriterion, noOptions, type Score } from '@agent-criteria/core';
import { createRegistry, type Plan, resolveEvalConfig, summarise, summariseCase } from '@agent-criteria/core/host';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { compactCaseResult, runSet } from '@agent-criteria/results';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { contradictsItself } from './contradicts-itself.ts';

const answered = evalCase('one', [{ user: 'Hello', answer: 'Hello' }]);
const silent = evalCase('one', [{ user: 'Hello' }]);

const score: fc.Arbitrary<Score> = fc.letrec<{ score: Score; value: Score; parts: Score }>((tie) => ({
  score: fc.oneof({ maxDepth: 2 }, tie('value'), tie('parts')),
  value: fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }).map((value): Score => ({ value })),
    fc
      .constantFrom('could-not-judge' as const, 'not-applicable' as const)
      .map((missing): Score => ({ value: null, missing })),
  ),
  parts: fc
    .array(tie('score'), { minLength: 1, maxLength: 3 })
    .map((parts) => ({ parts: parts.map((part) => ({ ...part, kind: 'step', id: 'x' })) }) as Score),
})).score;

const situation = fc.record({
  isSilent: fc.boolean(),
  compat: fc.constantFrom(null, 'adk' as const),
  better: fc.constantFrom('higher' as const, 'lower' as const),
  aggregate: fc.constantFrom(undefined, 'parts' as const, (values: readonly number[]) => Math.min(...values)),
  threshold: fc.double({ min: 0, max: 1, noNaN: true }),
  minCoverage: fc.constantFrom(0.5, 1),
  whenNotApplicable: fc.constantFrom('skip' as const, 'not-evaluated' as const),
  units: fc.array(fc.array(score, { maxLength: 3 }), { minLength: 1, maxLength: 2 }),
});

type Situation = typeof situation extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function planOf({ isSilent, compat, better, aggregate, threshold, minCoverage, whenNotApplicable }: Situation): Plan {
  const scored: Criterion = defineCriterion({
    name: 'scored',
    origin: { package: 'test', version: '1.0.0' },
    description: 'Scores.',
    decides: true,
    range: { min: 0, max: 1, better },
    options: noOptions,
    needs: isSilent ? { reference: 'tools' } : {},
    aggregate,
    scope: 'turn',
    evaluate: () => ({ value: 1 }),
  });
  const plan = resolveEvalConfig({
    evalSet: evalSet([isSilent ? silent : answered]),
    config: { criteria: { scored: 1 } },
    registry: createRegistry([scored]),
    compat,
  });
  return {
    ...plan,
    criteria: plan.criteria.map((planned) => ({ ...planned, threshold, minCoverage, whenNotApplicable })),
  };
}

it('contradictsItself() is false for every result that scores can produce', () => {
  fc.assert(
    fc.property(situation, (drawn) => {
      const plan = planOf(drawn);
      const [one = answered] = plan.evalSet.evalCases;
      const units = drawn.units.map((scores, repeat) => ({
        key: { setId: plan.evalSet.evalSetId, caseId: one.evalId, repeat },
        sessionId: 's',
        ending: { by: 'end-of-case' as const },
        criteria: [{ name: 'scored', scope: 'turn' as const, scores }],
      }));
      const { criteria } = runSet(plan, { file: null, configFile: null }, summarise([]));
      const result = compactCaseResult(summariseCase(plan, one, units));
      expect(contradictsItself(result, { criteria, compat: drawn.compat })).toBe(false);
      // Any other verdict on the case would be a contradiction.
      const other = result.verdict === 'passed' ? 'failed' : 'passed';
      expect(contradictsItself({ ...result, verdict: other }, { criteria, compat: drawn.compat })).toBe(true);
    }),
    { numRuns: runs(5000) },
  );
});
