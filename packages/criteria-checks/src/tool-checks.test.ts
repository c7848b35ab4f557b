import { evalCase, inference, testCriterion } from '@agent-criteria/core/testing';
import { expect, it, test } from 'vitest';
import { scoreWith } from './__fixtures__/score-with.ts';
import { toolChecks } from './tool-checks.ts';

const calls = (...names: readonly string[]) => ({
  answer: 'Done.',
  calls: names.map((name, index) => ({ name, args: { index } })),
});
const asked = evalCase('trip', [{ user: 'Book it.' }, { user: 'And back.' }]);
const happened = inference([calls('search', 'book'), calls('search', 'search')]);

test('fulfils the criterion contract', async () => {
  await testCriterion(toolChecks, {
    examples: [
      {
        name: 'all checks hold, over the whole conversation',
        evalCase: asked,
        inference: happened,
        options: { called: ['search', 'book'], never: 'cancel', at_most: { search: 3, '*': 4 } },
        scores: [1],
      },
      {
        name: 'the share of those that hold',
        evalCase: asked,
        inference: happened,
        options: { called: 'pay', never: ['book', 'cancel'], at_most: { search: 2 } },
        scores: [0.25],
      },
    ],
    badOptions: [
      {},
      { called: [] },
      { at_most: { search: -1 } },
      { at_most: { search: 0.5 } },
      { called: 'a', never: 'a' },
    ],
  });
});

it('reports the call that broke a check, with its arguments', async () => {
  const [score] = await scoreWith(toolChecks, asked, happened, {
    called: 'serch',
    never: 'book',
    at_most: { search: 2, toString: 0 },
  });
  expect(score).toMatchObject({
    reason: '3 of 4 checks failed: calls serch, and 2 more',
    parts: [
      {
        id: 'called',
        value: 0,
        reason: 'serch was never called; did you mean "search"?',
        evidence: [{ kind: 'diff', expected: 'a call of serch', actual: 'calls of search and book only' }],
      },
      {
        id: 'never',
        reason: 'book was called once, first in call 2 of turn 1',
        evidence: [
          { kind: 'diff', expected: { book: 'never' }, actual: { book: 'once' } },
          { kind: 'json', label: 'call 2 of turn 1, book', value: { index: 1 } },
        ],
      },
      { id: 'at_most.search', reason: 'search was called 3 times; the first too many is call 2 of turn 2' },
      { id: 'at_most.toString', value: 1 },
    ],
  });
});
