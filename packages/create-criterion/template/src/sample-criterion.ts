import { contentText, defineCriterion, optionsSchema } from '@agent-criteria/core';
import * as z from 'zod/mini';
import manifest from '../package.json' with { type: 'json' };

const options = z.object({ maxWords: z._default(z.int().check(z.minimum(1)), 100) });

/** The share of an answer's words that fits into `maxWords`: 1 up to the limit, 0.5 at twice its length. */
export const sampleCriterionScore = defineCriterion({
  name: 'sample_criterion',
  description: 'The answer of each turn keeps to a number of words.',
  origin: { package: manifest.name, version: manifest.version },
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: optionsSchema(options, z.toJSONSchema(options, { io: 'input' })),
  scope: 'turn',
  evaluate(turn, { maxWords }) {
    const words = contentText(turn.actual.finalResponse).match(/\S+/g)?.length ?? 0;
    // No answer is nothing to measure. A score of 0 would say that the answer was far too long.
    if (words === 0) return { value: null, missing: 'could-not-judge', reason: 'The turn has no answer.' };
    return { value: Math.min(1, maxWords / words), reason: `The answer has ${words} words; the limit is ${maxWords}.` };
  },
});
