import type { State } from '../json.ts';
import type { WrittenToolSimulationConfig } from './written.ts';

/** The keys of agent-criteria in a case: options by criterion name, and those that are always the same. */
export type WrittenCaseKeys = State & {
  /** Names by which a run chooses cases: `agent-criteria eval … --tag smoke`. */
  readonly tags?: readonly string[] | undefined;
  /** What cases have in common that pass and fail together, such as a document. Statistics count a group once. */
  readonly group?: string | undefined;
  /** How many of the first turns are history: they are given to the agent, and never judged. Default 0. */
  readonly history?: number | undefined;
  /** The turns, from 0, that do not state which calls are expected. Any other turn that lists none expects none. */
  readonly calls_not_stated?: readonly number[] | undefined;
  /** The turns, from 0, that do not state which calls are expected. Any other turn that lists none expects none. */
  readonly callsNotStated?: readonly number[] | undefined;
  /** @deprecated The key is `tags`. */
  readonly tag?: 'the key is tags' | undefined;
  /** What answers instead of tools, in this case. */
  readonly toolSimulationConfigs?: readonly WrittenToolSimulationConfig[] | undefined;
  /** What answers instead of tools, in this case. */
  readonly tool_simulation_configs?: readonly WrittenToolSimulationConfig[] | undefined;
};
