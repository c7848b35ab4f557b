import { evalCase } from '@agent-criteria/formats/eval-set';
import { describe, expect, it } from 'vitest';
import type { Score } from '../contracts/score.ts';
import { defineCriterion } from '../define-criterion.ts';
import { noOptions } from '../options-schema.ts';
import { createRegistry } from '../registry/registry.ts';
import { resolveEvalConfig } from '../resolve/resolve-eval-config.ts';
import { evalSet } from '../testing/builders.ts';
import type { UnitScores } from './score-unit.ts';
import { summariseCase } from './summarise.ts';

const criterion = defineCriterion({
  name: 'quality',
  origin: { package: 'test', version: '1.0.0' },
  description: 'for these tests only',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  evaluate: () => ({ value: 1 }),
});
const one = evalCase('one', [{ user: 'Hello' }]);

function judge(threshold: number, ...repeats: readonly (readonly Score[])[]) {
  return judgeIn(null, threshold, ...repeats);
}

function judgeIn(compat: 'adk' | null, threshold: number, ...repeats: readonly (readonly Score[])[]) {
  const plan = resolveEvalConfig({
    evalSet: evalSet([one]),
    config: { criteria: { quality: threshold } },
    registry: createRegistry([criterion]),
    compat,
  });
  const units = repeats.map(
    (scores, repeat): UnitScores => ({
      key: { setId: 'set', caseId: 'one', repeat },
      sessionId: `s${repeat}`,
      ending: { by: 'end-of-case' },
      criteria: [{ name: 'quality', scope: 'turn', scores }],
    }),
  );
  return summariseCase(plan, one, units);
}

const unjudged: Score = { value: null, missing: 'could-not-judge', reason: 'the judge is down' };
const nothing: Score = { value: null, missing: 'not-applicable', reason: 'nothing expected' };

describe('the reason of a case', () => {
  it.each([
    [0.8, [{ value: 0.5, reason: 'half of it' }], 'quality: 0.5 is below the threshold 0.8: half of it'],
    [0.0005, [{ value: 0.0004 }], 'quality: 0.0004 is below the threshold 0.0005'],
    [0.5, [{ value: 0.4999999 }], 'quality: 0.4999999 is below the threshold 0.5'],
    [
      1,
      [{ value: 0 }, unjudged],
      'quality: 0 is below the threshold 1 (1 of 2 turns could not be judged: the judge is down; it would fail with any value of it)',
    ],
    [1, [{ value: 0 }, nothing], 'quality: 0 is below the threshold 1'],
    [
      0.5,
      [{ value: 1 }, unjudged],
      'quality: coverage 50 % is below 100 %: 1 of 2 turns could not be judged: the judge is down',
    ],
    [0.5, [nothing], 'quality: it is not applicable: nothing expected'],
    [0.5, [], 'quality: the conversation has no turn to score'],
  ] as const)('explains threshold %s and scores %j', (threshold, scores, reason) => {
    expect(judge(threshold, scores as readonly Score[]).reason).toBe(reason);
  });

  it('shows more digits if the rounded number would look like the threshold', () => {
    expect(judge(0.5, [{ value: 0.49999 }]).reason).toContain('0.49999 is below');
    expect(judge(0.499, [{ value: 0.4989999 }]).reason).toContain('0.4989999 is below');
  });
});

describe('repeats', () => {
  it('are judged together, and the verdict of each alone is listed too', () => {
    const { verdict, criteria, units } = judge(0.5, [{ value: 1 }], [{ value: 0.2 }]);
    expect(verdict).toBe('passed');
    expect(criteria[0]).toMatchObject({ score: 0.6, coverage: 1 });
    expect(units.map((unit) => unit.verdict)).toEqual(['passed', 'failed']);
  });

  it('do not pass if one of them has no turn, or no scores', () => {
    expect(judge(0.5, [{ value: 1 }], [])).toMatchObject({
      verdict: 'not-evaluated',
      reason: 'quality: repeat 2 has no turn to score',
    });
  });
});

describe('a number that ADK shows for a score that could not be judged', () => {
  const split: Score = { ...unjudged, adkValue: 1 } as Score;

  it('is shown in compat mode, and decides nothing', () => {
    const result = judgeIn('adk', 1, [split, { value: 1 }]);
    expect(result.criteria[0]).toMatchObject({ score: 1, adkStatus: 1, verdict: 'not-evaluated', coverage: 0.5 });
    expect(result.criteria[0]?.turns.map(({ value }) => value)).toEqual([1, 1]);
    expect(result.verdict).toBe('not-evaluated');
  });

  it('is not shown outside compat mode', () => {
    const result = judgeIn(null, 1, [split, { value: 1 }]);
    expect(result.criteria[0]).toMatchObject({ score: 1, coverage: 0.5, verdict: 'not-evaluated' });
    expect(result.criteria[0]?.turns.map(({ value }) => value)).toEqual([null, 1]);
  });

  it('may be null although the vote was decided', () => {
    const decided: Score = { value: 0, adkValue: null, reason: 'two of three say no, and one call failed' };
    expect(judgeIn('adk', 1, [decided]).criteria[0]).toMatchObject({ score: null, adkStatus: 3, verdict: 'failed' });
    expect(judgeIn(null, 1, [decided]).criteria[0]).toMatchObject({ score: 0, verdict: 'failed' });
  });

  it('is also used for parts', () => {
    const parts: Score = {
      parts: [
        { id: 'a', kind: 'rubric', value: null, missing: 'could-not-judge', reason: 'no majority', adkValue: 0 },
        { id: 'b', kind: 'rubric', value: 1 },
      ],
    };
    expect(judgeIn('adk', 1, [parts]).criteria[0]).toMatchObject({
      score: 0.5,
      adkStatus: 2,
      verdict: 'not-evaluated',
    });
    expect(judgeIn(null, 1, [parts]).criteria[0]).toMatchObject({ score: 1, verdict: 'not-evaluated' });
  });
});

describe('scores of one agent among several', () => {
  const plan = resolveEvalConfig({
    evalSet: evalSet([one]),
    config: { criteria: { quality: 1 } },
    registry: createRegistry([criterion]),
  });
  const unit = (variant: string, repeat: number): UnitScores => ({
    key: { setId: 'set', caseId: 'one', repeat, variant },
    sessionId: 's',
    ending: { by: 'end-of-case' },
    criteria: [{ name: 'quality', scope: 'turn', scores: [{ value: 1 }] }],
  });

  it('are summarised as the result of that agent', () => {
    const result = summariseCase(plan, one, [unit('fast', 0), unit('fast', 1)]);
    expect(result).toMatchObject({ caseId: 'one', variant: 'fast', verdict: 'passed' });
  });

  it('are not combined with those of another', () => {
    expect(() => summariseCase(plan, one, [unit('fast', 0), unit('slow', 1)])).toThrow('scores of several variants');
  });
});
