import { evalCase, testCriterion } from '@agent-criteria/core/testing';
import { test } from 'vitest';
import { reporting, silent } from './__fixtures__/inferences.ts';
import { inferenceCallCount } from './inference-call-count.ts';

test('fulfils the criterion contract', async () => {
  const conversation = evalCase('trip', [{ user: 'Hello', answer: 'Done.' }]);
  await testCriterion(inferenceCallCount, {
    examples: [
      { name: 'reported', evalCase: conversation, inference: reporting, scores: [1] },
      { name: 'not reported', evalCase: conversation, inference: silent, scores: ['could-not-judge'] },
    ],
  });
});
