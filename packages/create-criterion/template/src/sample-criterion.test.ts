import { evalCase, inference, testCriterion } from '@agent-criteria/core/testing';
import { test } from 'vitest';
import { sampleCriterionScore } from './sample-criterion.ts';

test('sample_criterion fulfils the contract of a criterion', async () => {
  const greeting = evalCase('greeting', [{ user: 'Hello', answer: 'Good morning.' }]);
  const says = (answer: string | null) => inference([{ user: 'Hello', answer }]);
  const options = { maxWords: 2 };
  await testCriterion(sampleCriterionScore, {
    examples: [
      { name: 'an answer at the limit', evalCase: greeting, inference: says('Good morning.'), options, scores: [1] },
      { name: 'twice the limit', evalCase: greeting, inference: says('And how are you?'), options, scores: [0.5] },
      { name: 'the default limit', evalCase: greeting, inference: says('word '.repeat(125)), scores: [0.8] },
      { name: 'no answer', evalCase: greeting, inference: says(null), options, scores: ['could-not-judge'] },
    ],
    badOptions: [{ maxWords: 0 }, { maxWords: 'many' }],
  });
});
