import type { State } from '../json.ts';

/** What happens to calls of one tool instead of the tool. The shape is that of ADK's environment simulation. */
export interface ToolSimulationConfig {
  readonly toolName: string;
  /** The first that applies to a call decides. */
  readonly injectionConfigs: readonly InjectionConfig[];
  /** Recognised and refused, other than as `MOCK_STRATEGY_UNSPECIFIED`: no model makes answers up. */
  readonly mockStrategyType?: string | number | null | undefined;
}

/** A fixed answer, an error, or a delay. With neither answer nor error, the tool itself answers, after the delay. */
export interface InjectionConfig {
  /** How likely it is, from 0 to 1. Default 1. */
  readonly injectionProbability?: number | undefined;
  /** Arguments that a call must have, each with an equal value; others do not matter. Default: applies to every call. */
  readonly matchArgs?: State | null | undefined;
  /** Seconds that the answer takes, at most 120. Default 0. */
  readonly injectedLatencySeconds?: number | undefined;
  /** What the chance is drawn with. Default: the ids of case and repeat. */
  readonly randomSeed?: number | null | undefined;
  readonly injectedError?: InjectedError | null | undefined;
  /** What the tool answers. */
  readonly injectedResponse?: State | null | undefined;
}

/** The tool answers `{ error_code, error_message }`, as in ADK. */
export interface InjectedError {
  readonly injectedHttpErrorCode: number;
  readonly errorMessage: string;
}
