import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import type { Aggregate, Criterion, Range } from '../contracts/criterion.ts';
import type { Score, ScorePart } from '../contracts/score.ts';
import type { Ending } from '../contracts/transcript.ts';
import { defineCriterion } from '../define-criterion.ts';
import { noOptions } from '../options-schema.ts';
import type { Plan, PlannedCriterion } from '../resolve/plan.ts';
import type { UnitScores } from './score-unit.ts';
import { type CaseResult, summarise, summariseCase } from './summarise.ts';

// Design: replacing a score by could-not-judge never turns a verdict into passed, nor an exit code into 0.

const RANGES: readonly Range[] = [
  { min: 0, max: 1, better: 'higher' },
  { min: 0, max: 1, better: 'lower' },
  { min: 1, max: 5, better: 'higher' },
  { min: 0, max: null, better: 'higher' },
  { min: 0, max: null, better: 'lower' },
];

const AGGREGATES: readonly Aggregate[] = [
  'turns',
  'parts',
  (values) => Math.min(...values),
  (values) => Math.max(...values),
  (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0,
];

interface Situation {
  readonly plan: Plan;
  readonly units: readonly UnitScores[];
}

const missing = fc.constantFrom<Score>(
  { value: null, missing: 'could-not-judge', reason: 'the judge is down' },
  { value: null, missing: 'not-applicable', reason: 'nothing expected' },
);

function scoreIn(range: Range): fc.Arbitrary<Score> {
  const top = range.max ?? range.min + 4;
  const number = fc.oneof(fc.constantFrom(range.min, top), fc.double({ min: range.min, max: top, noNaN: true }));
  const value = number.map((given): Score => ({ value: given }));
  const { score } = fc.letrec<{ score: Score; parts: Score }>((tie) => ({
    score: fc.oneof(
      { maxDepth: 2 },
      { weight: 5, arbitrary: value },
      { weight: 2, arbitrary: missing },
      { weight: 2, arbitrary: tie('parts') },
    ),
    parts: fc.array(tie('score'), { minLength: 1, maxLength: 4 }).map(
      (scores): Score => ({
        parts: scores.map((one, index): ScorePart => ({ ...one, id: `${index}`, kind: 'rubric' })),
      }),
    ),
  }));
  return score;
}

const planned = fc
  .record({
    range: fc.constantFrom(...RANGES),
    aggregate: fc.constantFrom(...AGGREGATES),
    decides: fc.constantFrom(true, true, true, false),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    minCoverage: fc.constantFrom(1, 1, 0.5, 0.34, 0.01),
    whenNotApplicable: fc.constantFrom<'skip' | 'not-evaluated'>('skip', 'not-evaluated'),
    adk: fc.constantFrom<Criterion['adk'][]>(
      undefined,
      { mean: 'exact', missing: 'dropped' },
      { mean: 'sum', missing: 'zero' },
      { mean: 'exact', missing: 'dropped', aggregate: 'parts' },
    ),
  })
  .map(({ range, aggregate, decides, share, adk, ...rule }) => {
    const criterion: Criterion = defineCriterion({
      name: 'criterion',
      origin: { package: 'test', version: '1.0.0' },
      description: 'for this test only',
      decides,
      range,
      options: noOptions,
      aggregate,
      adk,
      scope: 'turn',
      evaluate: () => ({ value: range.min }),
    });
    const threshold = decides ? range.min + share * ((range.max ?? range.min + 4) - range.min) : null;
    return { ...rule, criterion, decides, threshold };
  });

const situation: fc.Arbitrary<Situation> = fc
  .record({
    criteria: fc.array(planned, { minLength: 1, maxLength: 3 }),
    repeats: fc.integer({ min: 1, max: 3 }),
    turns: fc.integer({ min: 0, max: 4 }),
    compat: fc.constantFrom('adk' as const, null),
    ending: fc.constantFrom<Ending[]>(
      { by: 'end-of-case' },
      { by: 'end-of-case' },
      { by: 'end-of-case' },
      { by: 'turn-limit' },
      { by: 'error', of: 'agent', error: { code: 'AGENT_FAILED', message: 'broke' } },
    ),
  })
  .chain(({ criteria, repeats, turns, compat, ending }) => {
    const named = criteria.map(
      (one, index): PlannedCriterion => ({
        ...one,
        name: `criterion_${index}`,
        options: {},
        caseOptions: new Map(),
        inapplicable: new Map(),
        written: {},
      }),
    );
    const evalCase = { evalId: 'case', conversation: [] };
    const plan: Plan = {
      evalSet: { evalSetId: 'set', evalCases: [evalCase] },
      config: null,
      criteria: named,
      simulator: null,
      stubs: new Map(),
      environments: new Map(),
      models: () => undefined,
      compat,
      warnings: [],
    };
    const rows = fc.tuple(
      ...named.map((one) =>
        fc.array(scoreIn(one.criterion.range), { minLength: turns * repeats, maxLength: turns * repeats }),
      ),
    );
    return rows.map(
      (scores): Situation => ({
        plan,
        units: Array.from({ length: repeats }, (_, repeat) => ({
          key: { setId: 'set', caseId: 'case', repeat },
          sessionId: `session-${repeat}`,
          ending: repeat === repeats - 1 ? ending : { by: 'end-of-case' },
          criteria: named.map((one, index) => ({
            name: one.name,
            scope: 'turn' as const,
            scores: (scores[index] ?? []).slice(repeat * turns, (repeat + 1) * turns),
          })),
        })),
      }),
    );
  });

function judge({ plan, units }: Situation): CaseResult {
  const [evalCase] = plan.evalSet.evalCases;
  if (evalCase === undefined) throw new Error('the plan has no case');
  return summariseCase(plan, evalCase, units);
}

/** Returns the same situation with some scores, or parts of scores, replaced by could-not-judge. */
function spoil(units: readonly UnitScores[], hit: () => boolean): readonly UnitScores[] {
  const unreadable: Score = { value: null, missing: 'could-not-judge', reason: 'spoilt' };
  const spoilScore = <S extends Score>(score: S): S => {
    if (hit()) {
      const { id, kind } = score as Partial<ScorePart>;
      return { ...unreadable, ...(id === undefined ? {} : { id, kind }) } as S;
    }
    return 'parts' in score ? { ...score, parts: score.parts.map(spoilScore) } : score;
  };
  return units.map((unit) => ({
    ...unit,
    criteria: unit.criteria.map((criterion) => ({ ...criterion, scores: criterion.scores.map(spoilScore) })),
  }));
}

describe('the honest rule', { timeout: 60_000 }, () => {
  it('never lets a missing score turn a verdict into passed, or an exit code into 0', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(situation, fc.infiniteStream(fc.constantFrom(true, false, false)), ({ plan, units }, hits) => {
        const before = judge({ plan, units });
        const after = judge({ plan, units: spoil(units, () => hits.next().value) });
        seen.add(`${before.verdict} to ${after.verdict}`);
        if (before.verdict !== 'passed') expect(after.verdict).not.toBe('passed');
        if (summarise([before]).exitCode !== 0) expect(summarise([after]).exitCode).not.toBe(0);
        for (const [index, criterion] of after.criteria.entries()) {
          if (before.criteria[index]?.verdict !== 'passed') expect(criterion.verdict).not.toBe('passed');
        }
      }),
      { numRuns: runs(4_000), seed: 1 },
    );
    // The property is only meaningful if every kind of situation occurred.
    expect([...seen]).toEqual(
      expect.arrayContaining([
        'passed to passed',
        'passed to not-evaluated',
        'failed to not-evaluated',
        'failed to failed',
        'error to error',
      ]),
    );
  });

  it('reports passed or failed only if every value of the missing scores leads to the same verdict', () => {
    fc.assert(
      fc.property(
        situation,
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        ({ plan, units }, shares) => {
          const before = judge({ plan, units });
          const filled = fillIn(plan, units, () => shares.next().value);
          const after = judge({ plan, units: filled });
          for (const [index, { verdict }] of before.criteria.entries()) {
            if (verdict === 'passed') expect(after.criteria[index]?.verdict).toBe('passed');
            if (verdict === 'failed') expect(after.criteria[index]?.verdict).toBe('failed');
          }
        },
      ),
      { numRuns: runs(3_000), seed: 2 },
    );
  });

  it('reports a coverage from 0 to 1, and 0 if nothing was scored', () => {
    fc.assert(
      fc.property(situation, ({ plan, units }) => {
        for (const { coverage, counts, score } of judge({ plan, units }).criteria) {
          if (coverage === null) continue;
          expect(coverage).toBeGreaterThanOrEqual(0);
          expect(coverage).toBeLessThanOrEqual(1);
          if (counts.scored === 0 && plan.compat === null) expect([coverage, score]).toEqual([0, null]);
        }
      }),
      { numRuns: runs(1_000), seed: 3 },
    );
  });
});

/** Returns the same situation with every could-not-judge score replaced by some value in the range. */
function fillIn(plan: Plan, units: readonly UnitScores[], share: () => number): readonly UnitScores[] {
  const fill = <S extends Score>(score: S, range: Range): S => {
    if ('parts' in score) return { ...score, parts: score.parts.map((part) => fill(part, range)) };
    if (score.value !== null || score.missing === 'not-applicable') return score;
    const { missing: _missing, ...rest } = score;
    return { ...rest, value: range.min + share() * ((range.max ?? range.min + 100) - range.min) } as S;
  };
  return units.map((unit) => ({
    ...unit,
    criteria: unit.criteria.map((criterion, index) => {
      const range = plan.criteria[index]?.criterion.range ?? { min: 0, max: 1, better: 'higher' };
      return { ...criterion, scores: criterion.scores.map((score) => fill(score, range)) };
    }),
  }));
}
