import { evalCase, testCriterion } from '@agent-criteria/core/testing';
import { test } from 'vitest';
import { reporting, silent } from './__fixtures__/inferences.ts';
import { invocationDuration } from './invocation-duration.ts';

test('fulfils the criterion contract', async () => {
  const conversation = evalCase('trip', [{ user: 'Hello', answer: 'Done.' }]);
  await testCriterion(invocationDuration, {
    examples: [
      { name: 'reported', evalCase: conversation, inference: reporting, scores: [0.5] },
      { name: 'not reported', evalCase: conversation, inference: silent, scores: ['could-not-judge'] },
    ],
  });
});
