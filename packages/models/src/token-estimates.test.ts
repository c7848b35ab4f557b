import { expect, it } from 'vitest';
import { openTokenEstimates } from './token-estimates.ts';

it('guesses by the text, then by what calls have taken', () => {
  const estimates = openTokenEstimates();
  const first = estimates.estimate(400);
  expect(first).toEqual({ guessed: 100, expected: 100 });
  estimates.learn(first, 150);
  expect(estimates.estimate(400)).toEqual({ guessed: 100, expected: 150 });
  estimates.learn(estimates.estimate(1200), 50);
  expect(estimates.estimate(10)).toEqual({ guessed: 3, expected: 2 });
});
