import { evalCase, inference, states, testCriterion } from '@agent-criteria/core/testing';
import { expect, it, test } from 'vitest';
import { scoreWith } from './__fixtures__/score-with.ts';
import { finalStateChecks } from './final-state-checks.ts';

const state = JSON.parse(
  '{ "order": { "status": "refunded", "total": 12.500001, "items": [{ "sku": "A1" }] }, "__proto__": { "a": 1 }, "odd.key": null }',
);
const ended = inference([{ answer: 'Done.' }], { state: states({}, state) });
const untold = inference([{ answer: 'Done.' }]);
const asked = evalCase('shop', [{ user: 'Refund me.' }]);
const expecting = evalCase('shop', [{ user: 'Refund me.' }], { finalSessionState: { 'odd.key': null, gone: 1 } });

test('fulfils the criterion contract', async () => {
  await testCriterion(finalStateChecks, {
    examples: [
      {
        name: 'all checks hold',
        evalCase: asked,
        inference: ended,
        options: {
          has: { 'order.status': 'refunded', 'order.items[0].sku': 'A1', "['odd.key']": null, 'order.total': 12.5 },
          tolerance: 0.01,
          lacks: ['error', 'toString', 'order.items[1]', 'order.items.length'],
          json_schema: { required: ['order'] },
        },
        scores: [1],
      },
      {
        name: 'what the case expects counts by its keys, others are free',
        evalCase: expecting,
        inference: ended,
        scores: [0.5],
      },
      {
        name: 'an agent that cannot tell its state',
        evalCase: expecting,
        inference: untold,
        scores: ['could-not-judge'],
      },
    ],
    badOptions: [{}, { has: { 'a..b': 1 } }, { has: { 'a[*]': 1 } }, { lacks: 'a.' }, { json_schema: { nothing: 1 } }],
  });
});

it('reports where the state differs from the expected value', async () => {
  const [score] = await scoreWith(finalStateChecks, asked, ended, {
    has: { 'order.status': 'open', missing: { deep: [1] } },
    lacks: 'order.items',
    json_schema: { properties: { order: { properties: { total: { maximum: 10 } } } } },
  });
  expect(score).toMatchObject({
    parts: [
      {
        text: 'order.status is "open"',
        reason: 'the state has "refunded" at order.status',
        evidence: [{ kind: 'diff', expected: 'open', actual: 'refunded', path: '$.order.status' }],
      },
      { evidence: [{ expected: { deep: [1] }, actual: 'nothing', path: '$.missing' }] },
      { evidence: [{ expected: 'nothing', actual: [{ sku: 'A1' }], path: '$.order.items' }] },
      { evidence: [{ expected: 'at most 10', actual: 12.500001, path: '$.order.total' }] },
    ],
  });
});

it('is rejected before the run for cases without an expected state', async () => {
  await expect(scoreWith(finalStateChecks, asked, ended)).rejects.toThrow(
    'final_state_checks applies to no case of the eval set "set": the case has no final_session_state',
  );
});
