import { evalCase, testCriterion } from '@agent-criteria/core/testing';
import { test } from 'vitest';
import { reporting, silent } from './__fixtures__/inferences.ts';
import { invocationDuration } from './invocation-duration.ts';

test('keeps the contract of a criterion', async () => {
  const conversation = evalCase('trip', [{ user: 'Hello', answer: 'Done.' }]);
  await testCriterion(invocationDuration, {
    examples: [
      { name: 'reported', evalCase: conversation, inference: reporting, scores: [0.5] },
      { name: 'not reported', evalCase: conversation, inference: silent, scores: ['could-not-judge'] },
    ],
  });
});
