import { type CoreOptions, type OptionsSchema, optionsSchema } from '@agent-criteria/core';
import type { JudgeOptionsInput } from '@agent-criteria/judge';
import * as z from 'zod/mini';

/** What counts as the answer. */
export interface FinalResponseMatchInput {
  /**
   * Whether texts that agents write along the way belong to the answer, in the expected answer too. Useful if a sub-agent
   * answers and the root agent only says goodbye. Default `false`: the last text alone.
   */
  readonly includeIntermediateResponsesInFinal?: boolean | undefined;
}

/** `FinalResponseMatchInput`, complete. */
export interface FinalResponseMatchOptions {
  readonly includeIntermediateResponsesInFinal: boolean;
}

/** A rubric as people write it. */
export interface RubricInput {
  /** Identifies the rubric in scores. Unique among all rubrics that are judged together: the criterion's, the case's and the turn's. */
  readonly rubricId: string;
  readonly rubricContent: {
    /** What must be true, as one plain statement. */
    readonly textProperty: string;
  };
  /** For people; judges do not see it. */
  readonly description?: string | null | undefined;
  /** Rubrics of a criterion are judged whatever their type. */
  readonly type?: string | null | undefined;
}

interface Rubrics {
  /** Judged in every case, before the case's own. Default: none. */
  readonly rubrics?: readonly RubricInput[] | undefined;
}

/** The options of the rubric criterion that judges answers. */
export interface FinalResponseQualityInput extends Rubrics, FinalResponseMatchInput {}

/** `FinalResponseQualityInput`, complete. */
export interface FinalResponseQualityOptions extends RubricQualityOptions, FinalResponseMatchOptions {}

/** The options of the rubric criteria that do not judge a final answer. */
export interface RubricQualityInput extends Rubrics {
  /** An option of the criteria that judge a final answer. Here only `false` is accepted, because ADK writes it into configs. */
  readonly includeIntermediateResponsesInFinal?: false | undefined;
}

/** `RubricQualityInput`, complete. */
export interface RubricQualityOptions {
  readonly rubrics: readonly RubricInput[];
}

/** The entry of `final_response_match_v2` in a config, under ADK's name. */
export interface LlmAsAJudgeCriterion extends CoreOptions, JudgeOptionsInput, FinalResponseMatchInput {
  /** 0 to 1. */
  readonly threshold: number;
}

/** The entry of a rubric criterion in a config, under ADK's name. */
export interface RubricsBasedCriterion extends CoreOptions, JudgeOptionsInput, Rubrics {
  /** 0 to 1. */
  readonly threshold: number;
}

/** Descriptions for editors and forms. */
const notes = z.registry<{ description: string }>();

const includes = z._default(z.boolean(), false).register(notes, {
  description: 'Intermediate texts of agents count as part of the answer, also in the expected answer.',
});

const rubric = z.strictObject({
  rubricId: z.string().check(z.minLength(1, 'a rubric needs an id')).register(notes, {
    description: 'Identifies the rubric in scores. Unique among all rubrics that are judged together.',
  }),
  rubricContent: z.strictObject({
    textProperty: z.string().check(z.regex(/\S/, 'a rubric needs a text to judge by')).register(notes, {
      description: 'What must be true, as one plain statement.',
    }),
  }),
  description: z.optional(z.nullable(z.string())),
  type: z.optional(z.nullable(z.string())),
});

const rubrics = z._default(z.array(rubric), []).register(notes, {
  description:
    'Judged in every case, regardless of their type, followed by those of the case and of the turn that have the right type.',
});

const refused = 'this criterion does not judge final answers: remove it';

// The JSON Schema would already refuse a literal, without giving the reason.
const onlyFalse = z.boolean().check(z.refine((value) => !value, refused)) as z.ZodMiniType<false, false>;

const answerSchema = z.object({ includeIntermediateResponsesInFinal: includes });
const answerRubricsSchema = z.object({ rubrics, includeIntermediateResponsesInFinal: includes });
const rubricsSchema = z.object({
  rubrics,
  includeIntermediateResponsesInFinal: z.optional(onlyFalse).register(notes, {
    description: `\`true\` is refused: ${refused}.`,
  }),
});

/** Of the criterion that compares answers. */
export const finalResponseMatchOptions: OptionsSchema<FinalResponseMatchInput, FinalResponseMatchOptions> =
  optionsSchema(answerSchema, z.toJSONSchema(answerSchema, { io: 'input', metadata: notes }));

/** Of the rubric criterion that judges answers. */
export const finalResponseQualityOptions: OptionsSchema<FinalResponseQualityInput, FinalResponseQualityOptions> =
  optionsSchema(answerRubricsSchema, z.toJSONSchema(answerRubricsSchema, { io: 'input', metadata: notes }));

/** Of the other rubric criteria. */
export const rubricQualityOptions: OptionsSchema<RubricQualityInput, RubricQualityOptions> = optionsSchema(
  rubricsSchema,
  z.toJSONSchema(rubricsSchema, { io: 'input', metadata: notes }),
);
