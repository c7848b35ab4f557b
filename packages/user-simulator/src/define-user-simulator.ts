import type { UserSimulator } from '@agent-criteria/core';

/** The argument of `defineUserSimulator`: a simulator without the fields that all simulators share. */
export type UserSimulatorDefinition<Name extends string, Input, Options> = Omit<
  UserSimulator<Name, Input, Options>,
  'kind' | 'specVersion'
>;

/**
 * Defines your own simulated user. Its `name` is the `type` in `user_simulator_config`; the other keys of that object
 * are its options, in either spelling, checked against its schema before anything runs.
 */
export function defineUserSimulator<const Name extends string, Input, Options>(
  definition: UserSimulatorDefinition<Name, Input, Options>,
): UserSimulator<Name, Input, Options> {
  return { ...definition, kind: 'user-simulator', specVersion: 1 };
}
