import type { ToolSimulator } from '@agent-criteria/core/host';

/** The argument of `defineToolSimulator`: a simulator without the fields that all simulators share. */
export type ToolSimulatorDefinition<Name extends string> = Omit<ToolSimulator<Name>, 'kind' | 'specVersion'>;

/** Defines your own tool simulator. Its `name` is a `mock_strategy_type`. */
export function defineToolSimulator<const Name extends string>(
  definition: ToolSimulatorDefinition<Name>,
): ToolSimulator<Name> {
  return { ...definition, kind: 'tool-simulator', specVersion: 1 };
}
