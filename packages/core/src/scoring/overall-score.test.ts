import { evalCase } from '@agent-criteria/formats/eval-set';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import type { OverallScore, Score } from '../contracts/score.ts';
import { defineCriterion } from '../define-criterion.ts';
import { createRegistry } from '../registry/registry.ts';
import { resolveEvalConfig } from '../resolve/resolve-eval-config.ts';
import { evalSet } from '../testing/builders.ts';
import { summariseCase } from './summarise.ts';

const criterion = defineCriterion({ name: 'whole', description: 'Only for tests.', evaluate: () => ({ value: 1 }) });
const one = evalCase('one', [{ user: 'a' }, { user: 'b' }]);

/** Returns the result of a case whose repeats have these scores. */
function judged(repeats: readonly (readonly Score[])[], compat: 'adk' | null = null, minCoverage = 1) {
  const plan = resolveEvalConfig({
    evalSet: evalSet([one]),
    config: { criteria: { whole: { threshold: 0.5, minCoverage } } },
    registry: createRegistry([criterion]),
    compat,
  });
  const units = repeats.map((scores, repeat) => ({
    key: { setId: 'set', caseId: 'one', repeat },
    sessionId: `s${repeat}`,
    ending: { by: 'end-of-case' as const },
    criteria: [{ name: 'whole', scope: 'turn' as const, scores }],
  }));
  return summariseCase(plan, one, units);
}

const unknown: Score = { value: null, missing: 'could-not-judge', reason: 'down' };
const lost: OverallScore = { value: null, missing: 'could-not-judge', reason: 'no number' };
const withOverall = (overall: OverallScore, ...scores: Score[]) => scores.map((score) => ({ ...score, overall }));

describe('the overall score of a conversation', () => {
  it('replaces the scores of its turns, and each repeat counts once', () => {
    const { verdict, criteria } = judged([
      withOverall({ value: 0.25 }, { value: 1 }, { value: 1 }),
      withOverall({ value: 0.5 }, { value: 1 }, { value: 0.5 }),
    ]);
    expect(verdict).toBe('failed');
    expect(criteria[0]).toMatchObject({ score: 0.375, meanOfTurns: 0.875, coverage: 1, counts: { scored: 4 } });
    expect(judged([[{ value: 1 }]]).criteria[0]).not.toHaveProperty('meanOfTurns');
  });

  it('is could-not-judge if a turn is, or if the turns disagree on it', () => {
    const [first] = judged([withOverall({ value: 1 }, { value: 1 }, unknown)]).criteria;
    expect(first).toMatchObject({
      verdict: 'not-evaluated',
      score: null,
      reason: 'the overall score rests on a turn that could not be judged: down',
    });
    const differing = [{ value: 1, overall: { value: 1 } }, { value: 1 }];
    expect(judged([differing]).criteria[0]?.reason).toContain('do not agree on the overall score');
  });

  it('never lets a could-not-judge score help a case to pass', () => {
    const number = fc.constantFrom(0, 0.25, 0.5, 1);
    const score: fc.Arbitrary<Score> = fc.oneof(
      number.map((value) => ({ value })),
      fc.constant(unknown),
    );
    const overall: fc.Arbitrary<OverallScore> = fc.oneof(
      number.map((value) => ({ value })),
      fc.constant(lost),
    );
    const repeat = fc
      .tuple(fc.option(overall, { nil: undefined }), fc.array(score, { minLength: 1, maxLength: 3 }))
      .map(([whole, scores]) => (whole === undefined ? scores : withOverall(whole, ...scores)));
    fc.assert(
      fc.property(
        fc.array(repeat, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(null, 'adk' as const),
        fc.constantFrom(0.4, 1),
        fc.nat(),
        fc.boolean(),
        (repeats, compat, minCoverage, at, isWhole) => {
          if (judged(repeats, compat, minCoverage).verdict === 'passed') return;
          const changed = repeats.map((scores, index) => {
            if (index !== at % repeats.length) return scores;
            // If a function throws, all turns are lost, along with their overall score.
            if (isWhole)
              return scores.map((one) => (at % 2 === 0 && one.overall ? { ...one, overall: lost } : unknown));
            return scores.map((one, turn) =>
              turn === at % scores.length ? { ...unknown, overall: one.overall } : one,
            );
          });
          expect(judged(changed, compat, minCoverage).verdict).not.toBe('passed');
        },
      ),
      { numRuns: runs(3000) },
    );
  });
});
