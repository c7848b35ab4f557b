import { type CoreOptions, type OptionsSchema, optionsSchema } from '@agent-criteria/core';
import { type JudgeOptions, type JudgeOptionsInput, withJudgeOptions } from '@agent-criteria/judge';
import * as z from 'zod/mini';

/** What splits an answer into sentences: the judge, or `splitSentences`, which needs no call. */
export type SegmenterName = 'judge' | 'local';

/** The options of `hallucinations_v1` as people write them, without those of every judge. */
export interface HallucinationsInput {
  /** Also judge what agents wrote before the final answer, each text against what had happened until then. Default `false`, as in ADK. */
  readonly evaluateIntermediateNlResponses?: boolean | undefined;
  /** Not an option of ADK, which ignores it. Default `'judge'`. */
  readonly segmenter?: SegmenterName | undefined;
  /** Refused: it belongs to the criteria that judge a final answer as a whole. */
  readonly includeIntermediateResponsesInFinal?: undefined;
}

/** The options as the criterion reads them, with defaults filled in. */
export interface HallucinationsOptions extends JudgeOptions {
  readonly evaluateIntermediateNlResponses: boolean;
  readonly segmenter: SegmenterName;
}

/** The entry of `hallucinations_v1` in a config, under ADK's name. */
export interface HallucinationsCriterion extends CoreOptions, JudgeOptionsInput, HallucinationsInput {
  /** 0 to 1. */
  readonly threshold: number;
}

/** Descriptions for editors and forms. */
const notes = z.registry<{ description: string }>();

const refused = 'this criterion judges each text separately: use evaluate_intermediate_nl_responses instead';

const schema = z.object({
  evaluateIntermediateNlResponses: z._default(z.boolean(), false).register(notes, {
    description: 'Also judge what agents wrote before the final answer.',
  }),
  segmenter: z._default(z.enum(['judge', 'local']), 'judge').register(notes, {
    description: 'What splits an answer into sentences. local: rules instead of a call to the judge.',
  }),
  includeIntermediateResponsesInFinal: z.optional(z.never(refused)).register(notes, {
    description: `Refused: ${refused}.`,
  }),
});

const own = optionsSchema(schema, z.toJSONSchema(schema, { io: 'input', metadata: notes }));

/** One sample by default: ADK never asks for more. */
export const hallucinationsOptions: OptionsSchema<HallucinationsInput & JudgeOptionsInput, HallucinationsOptions> =
  withJudgeOptions(own, 1);
