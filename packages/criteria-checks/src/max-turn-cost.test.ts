import { testCriterion } from '@agent-criteria/core/testing';
import { expect, it, test } from 'vitest';
import { asked, told, untold } from './__fixtures__/measured.ts';
import { scoreWith } from './__fixtures__/score-with.ts';
import { maxTurnCost } from './max-turn-cost.ts';

const small = { input_tokens: 1, output_tokens: 2, reasoning_tokens: 4 };
const large = { input_tokens: 10, output_tokens: 100, cached_input_tokens: 1 };

test('fulfils the criterion contract', async () => {
  await testCriterion(maxTurnCost, {
    examples: [
      {
        name: 'cached and reasoning tokens have prices of their own',
        evalCase: asked,
        inference: told,
        options: { prices: { small, large } },
        // large: 60 × 10 + 40 × 1 + 10 × 100; small: 50 × 1 + 15 × 2 + 5 × 4.
        scores: [1640 + 100, 10],
      },
      {
        name: 'a model without a price',
        evalCase: asked,
        inference: told,
        options: { prices: { small } },
        scores: ['could-not-judge', 10],
      },
      {
        name: 'a call without tokens',
        evalCase: asked,
        inference: untold,
        options: { prices: { small } },
        scores: [90, 'could-not-judge'],
      },
    ],
    badOptions: [
      {},
      { prices: { small: { input_tokens: 1 } } },
      { prices: { small: { ...small, output_tokens: -1 } } },
    ],
  });
});

it('names the model without a price', async () => {
  const [score] = await scoreWith(maxTurnCost, asked, told, { prices: { small, larg: large } });
  expect(score?.reason).toBe('"prices" has no price for the model "large"; did you mean "larg"?');
});
