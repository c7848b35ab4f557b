import { evalCase, inference, testCriterion } from '@agent-criteria/core/testing';
import { test } from 'vitest';
import { asked, told, untold } from './__fixtures__/measured.ts';
import { maxTurnTokens } from './max-turn-tokens.ts';

test('fulfils the criterion contract', async () => {
  await testCriterion(maxTurnTokens, {
    examples: [
      { name: 'all calls of a turn count', evalCase: asked, inference: told, scores: [180, 10] },
      { name: 'a call that reports none', evalCase: asked, inference: untold, scores: [70, 'could-not-judge'] },
      {
        name: 'an agent that tells nothing of models',
        evalCase: evalCase('a', [{ user: 'Hello' }]),
        inference: inference([{ answer: 'Hello' }]),
        scores: ['could-not-judge'],
      },
    ],
  });
});
