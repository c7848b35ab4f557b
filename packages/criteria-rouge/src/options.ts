import { type OptionsSchema, optionsSchema, type PartialOptions } from '@agent-criteria/core';
import { type Language, languages } from './languages.ts';

/** The ROUGE variant: single words, pairs of neighbouring words, or the longest common sequence of words. */
export type RougeType = 'rouge1' | 'rouge2' | 'rougeL';

/** The options of `response_match_score`. */
export interface ResponseMatchOptions {
  /**
   * The language whose stemmer is used, so that words with different endings are equal, or `'none'` for no stemmer.
   * Default `'en'`, as in ADK.
   */
  readonly language: Language;
  /** Default `'rouge1'`, as in ADK. */
  readonly type: RougeType;
}

export const responseMatchOptions: OptionsSchema<
  PartialOptions<ResponseMatchOptions>,
  ResponseMatchOptions
> = optionsSchema({
  type: 'object',
  properties: {
    language: {
      default: 'en',
      description:
        'The language whose stemmer is used, so that words with different endings are equal. none: words are compared as they are.',
      type: 'string',
      enum: languages,
    },
    type: {
      default: 'rouge1',
      description: 'rouge1: single words. rouge2: pairs of neighbours. rougeL: the longest common sequence of words.',
      type: 'string',
      enum: ['rouge1', 'rouge2', 'rougeL'],
    },
  },
});
