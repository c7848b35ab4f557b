import type { FunctionCall, Score, Turn } from '@agent-criteria/core';
import type { CriterionResult } from '@agent-criteria/core/host';
import { inference, invocation, testTools, unit } from '@agent-criteria/core/testing';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { expect, it } from 'vitest';
import { suggestedOptions, withOptions } from './suggested-options.ts';

/** Takes the notes from the criterion itself, so that this test fails if their format changes. */
function judged(expected: readonly FunctionCall[], actual: readonly FunctionCall[], written: object = {}): Score {
  const options = toolTrajectory.options['~standard'].validate(written);
  if (options.issues || toolTrajectory.scope !== 'turn') throw new Error('the criterion judges turns');
  const turn: Turn = {
    index: 0,
    actual: invocation({ calls: actual }),
    expected: invocation({ calls: expected }),
    rubrics: [],
  };
  const transcript = { unit: unit({ evalId: 'case' }), inference: inference([]), turns: [turn], rubrics: [] };
  const score = toolTrajectory.evaluate(turn, {
    options: options.value,
    tools: testTools({ compat: null }),
    transcript,
  });
  if (score instanceof Promise) throw new Error('the criterion answers at once');
  return score;
}

const book = (args: Record<string, string>): FunctionCall => ({ name: 'book', args });
const pay: FunctionCall = { name: 'pay', args: {} };
const later = judged([book({ date: '2026-05-01' })], [book({ date: '2026-05-02' })]);
const other = judged([book({ ref: 'ORD-1234' })], [book({ ref: 'ORD-5678' })]);
const wrong = judged([book({ city: 'Rome' })], [book({ city: 'Oslo' })]);
const swapped = judged([book({}), pay], [pay, book({})]);

const of = (...scores: readonly Score[]) => {
  const turns = scores.map((score, turn) => ({ repeat: 0, turn, value: 0, reached: false, score }));
  const result: Pick<CriterionResult, 'name' | 'turns'> = { name: 'tool_trajectory_avg_score', turns };
  return suggestedOptions({ criteria: [result as CriterionResult] }, 0);
};

it('suggestedOptions() merges the matchers of all turns below the threshold', () => {
  expect(of(later, other)).toEqual([
    {
      criterion: 'tool_trajectory_avg_score',
      why: 'Only a date differs. Only an id differs.',
      options: { matchers: { book: { date: { shape: 'date' }, ref: { pattern: 'ORD-[0-9]+' } } } },
    },
  ]);
});

it('suggestedOptions() suggests a looser order if that is enough', () => {
  expect(of(swapped)).toMatchObject([{ options: { match_type: 'ANY_ORDER' } }]);
});

it('suggestedOptions() suggests nothing if a turn is wrong or no turn is below the threshold', () => {
  expect(of(later, wrong)).toEqual([]);
  expect(of(later, swapped)).toEqual([]);
  expect(of()).toEqual([]);
});

it('withOptions() adds options to a case in a form that the criterion accepts', () => {
  const [suggestion] = of(later);
  if (suggestion === undefined) throw new Error('nothing is suggested');
  const before = { evalId: 'a', agentCriteria: { tags: ['x'], tool_trajectory_avg_score: { mine: 1 } } };
  const after = withOptions(before, suggestion);
  expect(after.agentCriteria).toEqual({
    tags: ['x'],
    tool_trajectory_avg_score: { mine: 1, ...suggestion.options },
  });
  expect(judged([book({ date: '2026-05-01' })], [book({ date: '2026-05-02' })], suggestion.options)).toMatchObject({
    value: 1,
  });
});
