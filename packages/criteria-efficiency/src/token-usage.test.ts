import { evalCase, testCriterion } from '@agent-criteria/core/testing';
import { test } from 'vitest';
import { reporting, silent } from './__fixtures__/inferences.ts';
import { tokenUsage } from './token-usage.ts';

test('fulfils the criterion contract', async () => {
  const conversation = evalCase('trip', [{ user: 'Hello', answer: 'Done.' }]);
  await testCriterion(tokenUsage, {
    examples: [
      { name: 'reported', evalCase: conversation, inference: reporting, scores: [15] },
      { name: 'not reported', evalCase: conversation, inference: silent, scores: ['could-not-judge'] },
    ],
  });
});
