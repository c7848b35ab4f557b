import { type OptionsSchema, optionsSchema } from '@agent-criteria/core';
import { type JudgeOptions, type JudgeOptionsInput, withJudgeOptions } from '@agent-criteria/judge';
import * as z from 'zod/mini';

/** Who cuts an answer into sentences: the judge, or `splitSentences`, which takes no call. */
export type SegmenterName = 'judge' | 'local';

interface OwnInput {
  /** Judge also what agents wrote before the final answer, each text against what had happened until then. Default `false`, as ADK. */
  readonly evaluateIntermediateNlResponses?: boolean | undefined;
  /** Our own option: ADK ignores it. Default `'judge'`. */
  readonly segmenter?: SegmenterName | undefined;
  /** Of other criteria; here only `false`, as ADK writes it into configs. */
  readonly includeIntermediateResponsesInFinal?: false | undefined;
}

interface OwnOptions {
  readonly evaluateIntermediateNlResponses: boolean;
  readonly segmenter: SegmenterName;
}

/** What people write for `hallucinations_v1`, beside the options that every criterion has. */
export interface HallucinationsCriterion extends OwnInput, JudgeOptionsInput {}

/** The options as the criterion reads them: complete. */
export interface HallucinationsOptions extends OwnOptions, JudgeOptions {}

/** What editors and forms are told beside types. */
const notes = z.registry<{ description: string }>();

const schema = z.object({
  evaluateIntermediateNlResponses: z._default(z.boolean(), false).register(notes, {
    description: 'Judge also what agents wrote before the final answer.',
  }),
  segmenter: z._default(z.enum(['judge', 'local']), 'judge').register(notes, {
    description: 'Who cuts an answer into sentences. local: rules instead of a call to the judge.',
  }),
  includeIntermediateResponsesInFinal: z.optional(
    z.literal(false, 'hallucinations_v1 judges every text by itself: write evaluate_intermediate_nl_responses instead'),
  ),
});

const own: OptionsSchema<OwnInput, OwnOptions> = optionsSchema(
  schema,
  z.toJSONSchema(schema, { io: 'input', metadata: notes }),
);

/** One sample where `num_samples` is not written: ADK never asks for more. */
export const hallucinationsOptions: OptionsSchema<HallucinationsCriterion, HallucinationsOptions> = withJudgeOptions(
  own,
  1,
);
