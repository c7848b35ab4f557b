import { type CoreOptions, type OptionsSchema, optionsSchema, type PartialOptions } from '@agent-criteria/core';
import type { JudgeOptionsInput } from '@agent-criteria/judge';
import { stopSignalProperty } from './stop-signal.ts';

/** The options of `per_turn_user_simulator_quality_v1`, except those that all judges share. */
export interface PerTurnUserSimulatorQualityOptions {
  /**
   * The text that ends a conversation according to the plan and persona. The judge sees it with the ending. Default
   * `</finished>`; if set, it must be the same as the simulator's.
   */
  readonly stopSignal?: string | undefined;
  /**
   * Whether the judge also sees the texts that agents write before an answer, as the simulated user did. Default
   * `false`: it sees only the final answers. ADK never shows the other texts.
   */
  readonly includeIntermediateResponsesInFinal: boolean;
}

/** The entry of `per_turn_user_simulator_quality_v1` in a config, under ADK's name. */
export interface LlmBackedUserSimulatorCriterion
  extends CoreOptions,
    JudgeOptionsInput,
    PartialOptions<PerTurnUserSimulatorQualityOptions> {
  /** The minimum share of turns, from 0 to 1. */
  readonly threshold: number;
}

/** The criterion's own options, except those that all judges share. */
export const perTurnOptions: OptionsSchema<
  PartialOptions<PerTurnUserSimulatorQualityOptions>,
  PerTurnUserSimulatorQualityOptions
> = optionsSchema({
  type: 'object',
  properties: {
    stopSignal: stopSignalProperty,
    includeIntermediateResponsesInFinal: {
      default: false,
      description: 'The judge also sees intermediate texts of agents.',
      type: 'boolean',
    },
  },
});
