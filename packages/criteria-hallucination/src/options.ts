import { type CoreOptions, type OptionsSchema, optionsSchema } from '@agent-criteria/core';
import { type JudgeOptions, type JudgeOptionsInput, withJudgeOptions } from '@agent-criteria/judge';
import * as z from 'zod/mini';

/** Who cuts an answer into sentences: the judge, or `splitSentences`, which takes no call. */
export type SegmenterName = 'judge' | 'local';

/** What people write for `hallucinations_v1`, beside the options of every judge. */
export interface HallucinationsInput {
  /** Judge also what agents wrote before the final answer, each text against what had happened until then. Default `false`, as ADK. */
  readonly evaluateIntermediateNlResponses?: boolean | undefined;
  /** Our own option: ADK ignores it. Default `'judge'`. */
  readonly segmenter?: SegmenterName | undefined;
  /** Refused: it belongs to the criteria that judge a final answer as a whole. */
  readonly includeIntermediateResponsesInFinal?: undefined;
}

/** The options as the criterion reads them: complete. */
export interface HallucinationsOptions extends JudgeOptions {
  readonly evaluateIntermediateNlResponses: boolean;
  readonly segmenter: SegmenterName;
}

/** The entry of `hallucinations_v1` in a config, under ADK's name. */
export interface HallucinationsCriterion extends CoreOptions, JudgeOptionsInput, HallucinationsInput {
  /** 0 to 1. */
  readonly threshold: number;
}

/** What editors and forms are told beside types. */
const notes = z.registry<{ description: string }>();

const refused = 'every text is judged by itself here: write evaluate_intermediate_nl_responses instead';

const schema = z.object({
  evaluateIntermediateNlResponses: z._default(z.boolean(), false).register(notes, {
    description: 'Judge also what agents wrote before the final answer.',
  }),
  segmenter: z._default(z.enum(['judge', 'local']), 'judge').register(notes, {
    description: 'Who cuts an answer into sentences. local: rules instead of a call to the judge.',
  }),
  includeIntermediateResponsesInFinal: z.optional(z.never(refused)).register(notes, {
    description: `Refused: ${refused}.`,
  }),
});

const own = optionsSchema(schema, z.toJSONSchema(schema, { io: 'input', metadata: notes }));

/** One sample where `num_samples` is not written: ADK never asks for more. */
export const hallucinationsOptions: OptionsSchema<HallucinationsInput & JudgeOptionsInput, HallucinationsOptions> =
  withJudgeOptions(own, 1);
