import { expect, it } from 'vitest';
import { openTokenEstimates } from './token-estimates.ts';

it('token estimates start from the text’s length, and learn from answered calls', () => {
  const estimates = openTokenEstimates();
  const first = estimates.estimate(400);
  expect(first).toEqual({ guessed: 100, expected: 100 });
  estimates.learn(first, 150);
  expect(estimates.estimate(400)).toEqual({ guessed: 100, expected: 150 });
  estimates.learn(estimates.estimate(1200), 50);
  expect(estimates.estimate(10)).toEqual({ guessed: 3, expected: 2 });
});
