import { type OptionsSchema, optionsSchema } from '@agent-criteria/core';
import * as z from 'zod/mini';
import { type Language, languages } from './languages.ts';

/** Which ROUGE: of single words, of pairs of neighbours, or of the longest common sequence of words. */
export type RougeType = 'rouge1' | 'rouge2' | 'rougeL';

/** What users write. */
export interface ResponseMatchInput {
  /** Whose stemmer makes words equal that differ in their endings. Default `'en'`, as in ADK; `'none'`: no stemmer. */
  readonly language?: Language | undefined;
  /** Default `'rouge1'`, as in ADK. */
  readonly type?: RougeType | undefined;
}

/** The options as the criterion reads them: complete. */
export interface ResponseMatchOptions {
  readonly language: Language;
  readonly type: RougeType;
}

/** What editors and forms are told beside types. */
const notes = z.registry<{ description: string }>();

const schema = z.object({
  language: z._default(z.enum(languages), 'en').register(notes, {
    description:
      'The language whose stemmer is used, so that words with different endings are equal. none: words are compared as they are.',
  }),
  type: z._default(z.enum(['rouge1', 'rouge2', 'rougeL']), 'rouge1').register(notes, {
    description: 'rouge1: single words. rouge2: pairs of neighbours. rougeL: the longest common sequence of words.',
  }),
});

export const responseMatchOptions: OptionsSchema<ResponseMatchInput, ResponseMatchOptions> = optionsSchema(
  schema,
  z.toJSONSchema(schema, { io: 'input', metadata: notes }),
);
