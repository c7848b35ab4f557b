import { type CoreOptions, type OptionsSchema, optionsSchema } from '@agent-criteria/core';
import type { JudgeOptionsInput } from '@agent-criteria/judge';
import * as z from 'zod/mini';
import { stopSignalDescription } from './stop-signal.ts';

/** What `per_turn_user_simulator_quality_v1` takes in addition to the options of every judge. */
export interface PerTurnUserSimulatorQualityInput {
  /**
   * What ends a conversation according to plan and persona. The judge sees it with the ending. Default `</finished>`; if
   * set, it must be the same as the simulator's.
   */
  readonly stopSignal?: string | undefined;
  /**
   * Whether the judge sees what agents write on the way to an answer, as the simulated user did. Default `false`: only the
   * final answers. ADK never shows the rest.
   */
  readonly includeIntermediateResponsesInFinal?: boolean | undefined;
}

/** `PerTurnUserSimulatorQualityInput`, complete. */
export interface PerTurnUserSimulatorQualityOptions {
  /** `undefined` if it is not set. */
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

/** Descriptions for editors and forms. */
const notes = z.registry<{ description: string }>();

const schema = z.object({
  stopSignal: z.optional(z.string().check(z.regex(/\S/, 'a stop signal must not be blank'))).register(notes, {
    description: stopSignalDescription,
  }),
  includeIntermediateResponsesInFinal: z._default(z.boolean(), false).register(notes, {
    description: 'The judge also sees intermediate texts of agents.',
  }),
});

/** The criterion's own options, without those of every judge. */
export const perTurnOptions: OptionsSchema<PerTurnUserSimulatorQualityInput, PerTurnUserSimulatorQualityOptions> =
  optionsSchema(schema, z.toJSONSchema(schema, { io: 'input', metadata: notes }));
