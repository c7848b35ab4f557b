import type { EnvironmentSimulationConfig, EvalCase, Problem, State } from '@agent-criteria/formats';
import type { Registered } from './registered.ts';
import type { Tools } from './tools.ts';
import type { UnitKey } from './transcript.ts';

/** Answers calls in place of tools. Its name is a `mock_strategy_type`. */
export interface ToolSimulator<Name extends string = string> extends Registered<'tool-simulator', Name> {
  /** Names the models that it calls. Default: none. */
  models?(environment: EnvironmentSimulationConfig): readonly string[];
  /** Returns its models' settings, which the models check before the run. Default: none. */
  modelSettings?(environment: EnvironmentSimulationConfig): State;
  /** Finds reasons why it cannot answer for the tools of a case, before the run. Default: none. */
  check?(simulated: SimulatedCase): readonly Problem[];
  /** Opens a fresh environment for one session, which sees no state of others. */
  open(start: ToolSimulationStart, tools: Tools): SimulatedTools;
}

/** A case, and the tools of the agent that are simulated in it. */
export interface SimulatedCase {
  readonly case: EvalCase;
  /** The names of the tools that the simulator answers for. */
  readonly toolNames: readonly string[];
  readonly environment: EnvironmentSimulationConfig;
}

export interface ToolSimulationStart extends SimulatedCase {
  readonly key: UnitKey;
  /** Lists the declarations of all tools of the agent, as its model receives them. Returns `null` if they are unknown. */
  declarations(): Promise<readonly State[] | null>;
}

/** The simulated tools of one session. */
export interface SimulatedTools {
  /**
   * Answers a call. If it rejects, the case ends with that error: an answer is never made up.
   * @throws CriteriaError if there is no answer.
   */
  answer(call: SimulatedCall): Promise<State>;
}

/** A call of a simulated tool. */
export interface SimulatedCall {
  readonly tool: string;
  readonly args: State;
  /** The zero-based index of the turn. */
  readonly turn: number;
  /** The zero-based index of the call among the session's calls of this tool. */
  readonly index: number;
}
