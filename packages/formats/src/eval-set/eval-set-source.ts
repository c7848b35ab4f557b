import type { EnvironmentSimulationConfig, EvalCase, EvalSet, Invocation, ShortTurn } from '../data/model.ts';
import type { State } from '../json.ts';

/** An eval set in code: the keys of the data model, in camelCase. Files may spell them in snake_case. */
export interface EvalSetInput extends Omit<EvalSet, 'evalCases'> {
  readonly evalCases: readonly EvalCaseInput[];
}

/** An eval case in code. */
export interface EvalCaseInput extends Omit<EvalCase, 'conversation' | 'agentCriteria'> {
  /** A fixed conversation of at least one turn: user messages, and what is expected of the agent. */
  readonly conversation?: readonly (Invocation | ShortTurn)[] | null | undefined;
  /**
   * Keys of agent-criteria, for this case only. Any other key is the name of a criterion, with options for this case.
   */
  readonly agentCriteria?: CaseKeys | undefined;
}

/** Keys under a case's `agentCriteria` that do not name a criterion. */
type CaseKeys = State & {
  /** Names by which a run selects cases: `agent-criteria eval … --tag smoke`. */
  readonly tags?: readonly string[] | undefined;
  /**
   * A name shared by cases that pass and fail together, such as those about one document. Statistics count a group
   * once.
   */
  readonly group?: string | undefined;
  /** The number of initial turns that are history, which is given to the agent and never judged. Default 0. */
  readonly history?: number | undefined;
  /**
   * The indexes, from 0, of the turns that do not state which calls are expected. Any other turn that lists none
   * expects none.
   */
  readonly callsNotStated?: readonly number[] | undefined;
  /** @deprecated The key is `tags`. */
  readonly tag?: 'the key is tags' | undefined;
} & EnvironmentSimulationConfig;

/** An eval set as a value, or eval cases as a list or individually. */
export type EvalSetSource =
  | EvalSetInput
  | readonly EvalCaseInput[]
  | Iterable<EvalCaseInput>
  | AsyncIterable<EvalCaseInput>;
