import { evalCase, inference, scriptedModel, testCriterion } from '@agent-criteria/core/testing';
import { it } from 'vitest';
import { numbersExplained } from './numbers-explained.ts';

const said = (verdict: string) => () => ({
  judge: scriptedModel(() => `{"reasoning":"Because.","verdict":"${verdict}"}`),
});
const asked = evalCase('gas', [{ user: 'How much gas did I use?' }]);
const answered = (answer: string) => inference([{ user: 'How much gas did I use?', answer }]);

it('keeps the contract', async () => {
  await testCriterion(numbersExplained, {
    examples: [
      { name: 'yes', evalCase: asked, inference: answered('31 cubic metres.'), models: said('yes'), scores: [1] },
      { name: 'no', evalCase: asked, inference: answered('31, down from 40.'), models: said('no'), scores: [0] },
      {
        name: 'a judge that says neither has no opinion',
        evalCase: asked,
        inference: answered('31.'),
        models: said('perhaps'),
        scores: ['could-not-judge'],
      },
      {
        name: 'an answer without numbers is not applicable, whatever a judge would say of it',
        evalCase: asked,
        inference: answered('I cannot see your meter.'),
        models: said('no'),
        scores: ['not-applicable'],
      },
    ],
    badOptions: [{ judgeModelOptions: { numSamples: 0 } }],
  });
});
