import { type CoreOptions, type OptionsSchema, optionsSchema } from '@agent-criteria/core';
import type { JudgeOptionsInput } from '@agent-criteria/judge';
import * as z from 'zod/mini';
import { stopSignalDescription } from './stop-signal.ts';

/** What `per_turn_user_simulator_quality_v1` takes beside the options of every judge. */
export interface PerTurnUserSimulatorQualityInput {
  /**
   * What ends a conversation in the words of plan and persona. The judge is told it with the ending. Default
   * `</finished>`; where it is written, the simulator's must not be another one.
   */
  readonly stopSignal?: string | undefined;
  /**
   * Whether the judge sees what agents write on their way to an answer, as the simulated user did. Default `false`: the
   * final answers alone. ADK never shows the rest.
   */
  readonly includeIntermediateResponsesInFinal?: boolean | undefined;
}

/** `PerTurnUserSimulatorQualityInput`, complete. */
export interface PerTurnUserSimulatorQualityOptions {
  /** `undefined` where nothing is written. */
  readonly stopSignal?: string | undefined;
  readonly includeIntermediateResponsesInFinal: boolean;
}

/** The entry of `per_turn_user_simulator_quality_v1` in a config, under ADK's name. */
export interface LlmBackedUserSimulatorCriterion
  extends CoreOptions,
    JudgeOptionsInput,
    PerTurnUserSimulatorQualityInput {
  /** 0 to 1. */
  readonly threshold: number;
}

/** What editors and forms are told beside types. */
const notes = z.registry<{ description: string }>();

const schema = z.object({
  stopSignal: z.optional(z.string().check(z.regex(/\S/, 'a stop signal needs a letter or a mark'))).register(notes, {
    description: stopSignalDescription,
  }),
  includeIntermediateResponsesInFinal: z._default(z.boolean(), false).register(notes, {
    description: 'The judge sees what agents write on their way to an answer, too.',
  }),
});

/** Of the criterion, without those that every judge has. */
export const perTurnOptions: OptionsSchema<PerTurnUserSimulatorQualityInput, PerTurnUserSimulatorQualityOptions> =
  optionsSchema(schema, z.toJSONSchema(schema, { io: 'input', metadata: notes }));
