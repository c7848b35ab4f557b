import { evalCase, testCriterion } from '@agent-criteria/core/testing';
import { test } from 'vitest';
import { reporting, silent } from './__fixtures__/inferences.ts';
import { toolCallCount } from './tool-call-count.ts';

test('fulfils the criterion contract', async () => {
  const conversation = evalCase('trip', [{ user: 'Hello', answer: 'Done.' }]);
  await testCriterion(toolCallCount, {
    examples: [
      { name: 'reported', evalCase: conversation, inference: reporting, scores: [0] },
      { name: 'not reported', evalCase: conversation, inference: silent, scores: [1] },
    ],
  });
});
