import type { State } from '../json.ts';

/** What happens to calls of one tool instead of the tool. The shape is that of ADK's environment simulation. */
export interface ToolSimulationConfig {
  readonly toolName: string;
  /** The first that applies to a call decides. */
  readonly injectionConfigs: readonly InjectionConfig[];
  /** Recognised and refused, other than as `MOCK_STRATEGY_UNSPECIFIED`: no model makes answers up. */
  readonly mockStrategyType?: string | number | null;
}

/** A fixed answer, an error, or a delay. With neither answer nor error, the tool itself answers, after the delay. */
export interface InjectionConfig {
  /** How likely it is, from 0 to 1. Default 1. */
  readonly injectionProbability?: number;
  /** Arguments that a call must have, each with an equal value; others do not matter. Default: applies to every call. */
  readonly matchArgs?: State | null;
  /** Seconds that the answer takes, at most 120. Default 0. */
  readonly injectedLatencySeconds?: number;
  /** What the chance is drawn with. Default: the ids of case and repeat. */
  readonly randomSeed?: number | null;
  readonly injectedError?: InjectedError | null;
  /** What the tool answers. */
  readonly injectedResponse?: State | null;
}

/** The tool answers `{ error_code, error_message }`, as in ADK. */
export interface InjectedError {
  readonly injectedHttpErrorCode: number;
  readonly errorMessage: string;
}
