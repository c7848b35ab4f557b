import { type CoreOptions, type OptionsSchema, optionsSchema, type PartialOptions } from '@agent-criteria/core';
import type { JudgeOptionsInput } from '@agent-criteria/judge';

/** The options of the criterion that compares answers. */
export interface FinalResponseMatchOptions {
  /**
   * Whether texts that agents write along the way belong to the answer. This applies to the expected answer too. Useful
   * if a sub-agent answers and the root agent only says goodbye. Default `false`: only the last text.
   */
  readonly includeIntermediateResponsesInFinal: boolean;
}

/** A rubric as people write it. */
export interface RubricInput {
  /**
   * Identifies the rubric in scores. Unique among all rubrics that are judged together: the criterion's, the case's and
   * the turn's.
   */
  readonly rubricId: string;
  readonly rubricContent: {
    /** The plain statement that must be true. */
    readonly textProperty: string;
  };
  /** A description for people; judges do not see it. */
  readonly description?: string | null | undefined;
  /** The type. A criterion's own rubrics are judged regardless of it. */
  readonly type?: string | null | undefined;
}

/** The options of the rubric criteria that do not judge a final answer. */
export interface RubricQualityOptions {
  /** Rubrics judged in every case, before the case's own. Default: none. */
  readonly rubrics: readonly RubricInput[];
}

/** `RubricQualityOptions` as people write them. */
export interface RubricQualityInput extends PartialOptions<RubricQualityOptions> {
  /**
   * An option of the criteria that judge a final answer. Here only `false` is accepted, because ADK writes it into
   * configs.
   */
  readonly includeIntermediateResponsesInFinal?: false | undefined;
}

/** The options of the rubric criterion that judges answers. */
export interface FinalResponseQualityOptions extends RubricQualityOptions, FinalResponseMatchOptions {}

/** The entry of `final_response_match_v2` in a config, under ADK's name. */
export interface LlmAsAJudgeCriterion
  extends CoreOptions,
    JudgeOptionsInput,
    PartialOptions<FinalResponseMatchOptions> {
  /** From 0 to 1. */
  readonly threshold: number;
}

/** The entry of a rubric criterion in a config, under ADK's name. */
export interface RubricsBasedCriterion extends CoreOptions, JudgeOptionsInput, PartialOptions<RubricQualityOptions> {
  /** From 0 to 1. */
  readonly threshold: number;
}

const includeIntermediateResponsesInFinal = {
  default: false,
  description: 'Intermediate texts of agents count as part of the answer, also in the expected answer.',
  type: 'boolean',
} as const;

const rubrics = {
  default: [],
  description:
    'Judged in every case, regardless of their type, followed by those of the case and of the turn that have the right type.',
  type: 'array',
  items: {
    type: 'object',
    properties: {
      rubricId: {
        type: 'string',
        minLength: 1,
        'x-messages': { minLength: 'a rubric needs an id' },
        description: 'Identifies the rubric in scores. Unique among all rubrics that are judged together.',
      },
      rubricContent: {
        type: 'object',
        properties: {
          textProperty: {
            type: 'string',
            pattern: '\\S',
            'x-messages': { pattern: 'a rubric needs a text to judge by' },
            description: 'What must be true, as one plain statement.',
          },
        },
        required: ['textProperty'],
        additionalProperties: false,
      },
      description: { type: ['string', 'null'] },
      type: { type: ['string', 'null'] },
    },
    required: ['rubricId', 'rubricContent'],
    additionalProperties: false,
  },
} as const;

const refused = 'this criterion does not judge final answers: remove it';

export const finalResponseMatchOptions: OptionsSchema<
  PartialOptions<FinalResponseMatchOptions>,
  FinalResponseMatchOptions
> = optionsSchema({ type: 'object', properties: { includeIntermediateResponsesInFinal } });

export const finalResponseQualityOptions: OptionsSchema<
  PartialOptions<FinalResponseQualityOptions>,
  FinalResponseQualityOptions
> = optionsSchema({ type: 'object', properties: { rubrics, includeIntermediateResponsesInFinal } });

export const rubricQualityOptions = optionsSchema({
  type: 'object',
  properties: {
    rubrics,
    includeIntermediateResponsesInFinal: {
      description: `\`true\` is refused: ${refused}.`,
      type: 'boolean',
      // Does not use `const`, whose error message would not give the reason.
      not: { const: true },
      'x-messages': { not: refused },
    },
  },
}) as OptionsSchema<RubricQualityInput, RubricQualityOptions>;
