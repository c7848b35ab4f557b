import { type CoreOptions, type OptionsSchema, optionsSchema, type PartialOptions } from '@agent-criteria/core';
import { type JudgeOptions, type JudgeOptionsInput, withJudgeOptions } from '@agent-criteria/judge';

/** The splitter of answers into sentences: the judge, or `splitSentences`, which needs no call. */
export type SegmenterName = 'judge' | 'local';

/** The options of `hallucinations_v1`. */
export interface HallucinationsOptions extends JudgeOptions {
  /**
   * Also judge texts of agents before the final answer, each against the steps before it. Default `false`, as in ADK.
   */
  readonly evaluateIntermediateNlResponses: boolean;
  /** Not an option of ADK, which ignores it. Default `'judge'`. */
  readonly segmenter: SegmenterName;
}

/** `HallucinationsOptions` as users write them, without those of every judge. */
export interface HallucinationsInput extends PartialOptions<Omit<HallucinationsOptions, keyof JudgeOptions>> {
  /** Refused: it belongs to the criteria that judge a final answer as a whole. */
  readonly includeIntermediateResponsesInFinal?: undefined;
}

/** The entry of `hallucinations_v1` in a config, under ADK's name. */
export interface HallucinationsCriterion extends CoreOptions, JudgeOptionsInput, HallucinationsInput {
  /** 0 to 1. */
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

/** One sample by default: ADK never asks for more. */
export const hallucinationsOptions: OptionsSchema<HallucinationsInput & JudgeOptionsInput, HallucinationsOptions> =
  withJudgeOptions(own as OptionsSchema<HallucinationsInput, Omit<HallucinationsOptions, keyof JudgeOptions>>, 1);
