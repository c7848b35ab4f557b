import type { FunctionCall, Score, Turn } from '@agent-criteria/core';
import { evalCase, inference, invocation, testCriterion, testTools, unit } from '@agent-criteria/core/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { toolParameterMatch } from './tool-parameter-match.ts';

type Calls = readonly FunctionCall[];

function judge(expected: Calls, actual: Calls, compat: 'adk' | null = null): Score {
  if (toolParameterMatch.scope !== 'turn') throw new Error('the criterion judges turns');
  const sides = { expected: invocation({ calls: expected }), actual: invocation({ calls: actual }) };
  const turn: Turn = { index: 0, ...sides, rubrics: [] };
  const transcript = { unit: unit({ evalId: 'case' }), inference: inference([]), turns: [turn], rubrics: [] };
  const score = toolParameterMatch.evaluate(turn, { options: {}, tools: testTools({ compat }), transcript });
  if (score instanceof Promise) throw new Error('the criterion answers at once');
  return score;
}

const book = (args: Record<string, unknown>): FunctionCall => ({ name: 'book_flight', args });
const search: FunctionCall = { name: 'search', args: { q: 'Oslo' } };

test('fulfils the criterion contract', async () => {
  const conversation = evalCase('trip', [
    { user: 'Hello', answer: 'Done.', calls: [book({ to: 'Oslo', seats: 2 })] },
    { user: 'Hello', answer: 'Bye.', calls: [] },
  ]);
  const happened = (seats: number) =>
    inference([
      { answer: 'Done.', calls: [search, book({ to: 'Oslo', seats, meal: 'none' })] },
      { answer: 'Bye.', calls: [search] },
    ]);
  await testCriterion(toolParameterMatch, {
    examples: [
      {
        name: 'as expected, beside other calls and arguments',
        evalCase: conversation,
        inference: happened(2),
        scores: [1, 'not-applicable'],
      },
      {
        name: 'another number of seats',
        evalCase: conversation,
        inference: happened(3),
        scores: [0.5, 'not-applicable'],
      },
    ],
  });
});

test('the reason names the call and the argument that differ', () => {
  const score = judge([search, book({ to: 'Oslo', seats: 2 })], [search, book({ to: 'Oslo', seats: 3, meal: 'none' })]);
  expect(score).toMatchObject({
    value: 0.75,
    reason: 'The expected call 2, book_flight, has 3 instead of 2 at seats.',
  });
  expect(score.evidence).toEqual([
    {
      kind: 'diff',
      expected: [search, book({ to: 'Oslo', seats: 2 })],
      actual: [search, book({ to: 'Oslo', seats: 3 })],
      path: '$[1].args.seats',
    },
  ]);
});

test('the reason names a call that was not made', () => {
  const score = judge([book({ to: 'Oslo' }), search], [search]);
  expect(score).toMatchObject({ value: 0.5, reason: 'The expected call 1, book_flight, was not made.' });
});

test('calls are matched in order', () => {
  expect(judge([search, book({})], [book({}), search])).toMatchObject({ value: 0.5 });
});

test('arguments may have the names of built-in methods', () => {
  expect(judge([book({ toString: 1 })], [book({})])).toMatchObject({ value: 0 });
  const own = JSON.parse('{"__proto__": 1}') as Record<string, unknown>;
  expect(judge([book(own)], [book(own)])).toMatchObject({ value: 1 });
});

test('true equals 1 only in compat mode', () => {
  expect(judge([book({ seats: 1 })], [book({ seats: true })])).toMatchObject({ value: 0 });
  expect(judge([book({ seats: 1 })], [book({ seats: true })], 'adk')).toMatchObject({ value: 1 });
});

test('extra calls and arguments never change a score of 1, and the score stays within its range', () => {
  const call = fc.record({
    name: fc.constantFrom('search', 'book_flight', 'pay'),
    args: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
  });
  const calls = fc.array(call, { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(call, { minLength: 1, maxLength: 6 }), calls, (expected, more) => {
      const actual = expected.map(({ name, args }) => ({ name, args: { ...args, extra: true } }));
      expect(judge(expected, [...actual, ...more])).toEqual({ value: 1 });
      const score = judge(expected, more);
      if (!('value' in score) || score.value === null) throw new Error('there is a number');
      expect(score.value).toBeGreaterThanOrEqual(0);
      expect(score.value).toBeLessThanOrEqual(1);
    }),
    { numRuns: runs(500) },
  );
});
