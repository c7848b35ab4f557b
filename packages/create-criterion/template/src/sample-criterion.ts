import { contentText, defineCriterion, optionsSchema } from '@agent-criteria/core';
import manifest from '../package.json' with { type: 'json' };

const options = optionsSchema({
  type: 'object',
  properties: {
    maxWords: { type: 'integer', minimum: 1, default: 100, description: 'How many words an answer may have.' },
  },
});

/** The share of an answer's words that fits into `maxWords`: 1 up to the limit, 0.5 at twice its length. */
export const sampleCriterionScore = defineCriterion({
  name: 'sample_criterion',
  description: 'The answer of each turn keeps to a number of words.',
  origin: { package: manifest.name, version: manifest.version },
  options,
  evaluate(turn, { options: { maxWords } }) {
    const words = contentText(turn.actual.finalResponse).match(/\S+/g)?.length ?? 0;
    // Without an answer there is nothing to measure. A score of 0 would mean that the answer was far too long.
    if (words === 0) return { value: null, missing: 'could-not-judge', reason: 'The turn has no answer.' };
    return { value: Math.min(1, maxWords / words), reason: `The answer has ${words} words; the limit is ${maxWords}.` };
  },
});
