import { type CoreOptions, type OptionsSchema, optionsSchema, type PartialOptions } from '@agent-criteria/core';
import { type JudgeOptions, type JudgeOptionsInput, withJudgeOptions } from '@agent-criteria/judge';

/** How answers are split into sentences: by the judge, or by `splitSentences`, which needs no call. */
export type SegmenterName = 'judge' | 'local';

/** The options of `hallucinations_v1`. */
export interface HallucinationsOptions extends JudgeOptions {
  /**
   * Whether to also judge the texts that agents wrote before the final answer, each against the steps that precede it.
   * Default `false`, as in ADK.
   */
  readonly evaluateIntermediateNlResponses: boolean;
  /** How texts are split. Not an option in ADK, which ignores it. Default `'judge'`. */
  readonly segmenter: SegmenterName;
}

/** `HallucinationsOptions` as users write them, without the options that all judges share. */
export interface HallucinationsInput extends PartialOptions<Omit<HallucinationsOptions, keyof JudgeOptions>> {
  /** Rejected, because it belongs to the criteria that judge a final answer as a whole. */
  readonly includeIntermediateResponsesInFinal?: undefined;
}

/** The entry of `hallucinations_v1` in a config, under ADK's name. */
export interface HallucinationsCriterion extends CoreOptions, JudgeOptionsInput, HallucinationsInput {
  /** From 0 to 1. */
  readonly threshold: number;
}

const refused = 'this criterion judges each text separately: use evaluate_intermediate_nl_responses instead';

const own = optionsSchema({
  type: 'object',
  properties: {
    evaluateIntermediateNlResponses: {
      default: false,
      description: 'Also judge what agents wrote before the final answer.',
      type: 'boolean',
    },
    segmenter: {
      default: 'judge',
      description: 'What splits an answer into sentences. local: rules instead of a call to the judge.',
      type: 'string',
      enum: ['judge', 'local'],
    },
    includeIntermediateResponsesInFinal: {
      description: `Refused: ${refused}.`,
      not: {},
      'x-messages': { not: refused },
    },
  },
});

/** One sample by default, because ADK never asks for more. */
export const hallucinationsOptions: OptionsSchema<HallucinationsInput & JudgeOptionsInput, HallucinationsOptions> =
  withJudgeOptions(own as OptionsSchema<HallucinationsInput, Omit<HallucinationsOptions, keyof JudgeOptions>>, 1);
