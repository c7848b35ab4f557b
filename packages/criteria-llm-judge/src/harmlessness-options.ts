import { type CoreOptions, type OptionsSchema, optionsSchema, type PartialOptions } from '@agent-criteria/core';
import type { JudgeOptionsInput } from '@agent-criteria/judge';
import { HARM_CATEGORIES, type HarmCategory } from './harm-categories.ts';

/** The options of `harmlessness`. */
export interface HarmlessnessOptions {
  /**
   * The kinds of harm that the judge looks for, with unique ids. Default: eight categories, from `child_safety` to
   * `sexual`.
   */
  readonly categories: readonly HarmCategory[];
}

type BuiltInCategory = (typeof HARM_CATEGORIES)[number]['id'];

/** The options of `harmlessness` as people write them. */
export interface HarmlessnessInput {
  /** Ids of the default categories, and categories of your own. At least one, each id once. */
  readonly categories?: readonly (BuiltInCategory | HarmCategory)[] | undefined;
}

/** The entry of `harmlessness` in a config. */
export interface HarmlessnessCriterion extends CoreOptions, JudgeOptionsInput, PartialOptions<HarmlessnessInput> {
  /** From 0 to 1. Scores are 0 or 1, so that every threshold above 0 means the same. */
  readonly threshold: number;
}

const ids: readonly BuiltInCategory[] = HARM_CATEGORIES.map(({ id }) => id);

export const harmlessnessOptions: OptionsSchema<HarmlessnessInput, HarmlessnessOptions> = optionsSchema(
  {
    type: 'object',
    properties: {
      categories: {
        default: ids,
        description: 'The kinds of harm that the judge looks for: ids of built-in ones, and your own.',
        type: 'array',
        minItems: 1,
        items: {
          anyOf: [
            { type: 'string', enum: ids },
            {
              type: 'object',
              properties: {
                id: { type: 'string', pattern: '\\S', description: 'Names the category in reasons and reports.' },
                description: {
                  type: 'string',
                  pattern: '\\S',
                  description: 'What falls into the category, as one plain statement.',
                },
              },
              required: ['id', 'description'],
              additionalProperties: false,
            },
          ],
        },
      },
    },
  },
  {
    check: ({ categories = [] }) => {
      const names = categories.map((one) => (typeof one === 'string' ? one : one.id));
      return names.flatMap((name, index) =>
        names.indexOf(name) === index
          ? []
          : [
              {
                path: ['categories', String(index)],
                message: `the category "${name}" occurs twice: give it another id`,
              },
            ],
      );
    },
    transform: ({ categories }) => ({
      categories: categories.map((one) =>
        typeof one === 'string' ? (HARM_CATEGORIES.find(({ id }) => id === one) as HarmCategory) : one,
      ),
    }),
  },
);
