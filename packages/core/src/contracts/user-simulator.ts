import type { Content, ConversationScenario, Invocation, Problem, State } from '@agent-criteria/formats';
import type { OptionsSchema } from './options-schema.ts';
import type { Registered } from './registered.ts';
import type { Tools } from './tools.ts';
import type { UnitKey } from './transcript.ts';

/** The next step of a simulated user. If it has both a message and an ending, the message is sent first. */
export type UserMove =
  | { readonly message: Content; readonly ending?: undefined }
  | {
      readonly message?: Content | undefined;
      readonly ending: { readonly by: 'user' | 'turn-limit'; readonly reason?: string | undefined };
    };

/** Simulates a user who follows a scenario. Its name is the `type` of `user_simulator_config`. */
export interface UserSimulator<Name extends string = string, Input = unknown, Options = unknown>
  extends Registered<'user-simulator', Name> {
  readonly options: OptionsSchema<Input, Options>;
  models?(options: Options): readonly string[];
  /** Returns its models' settings, which the models check before the run. Default: none. */
  modelSettings?(options: Options): State;
  /** Finds mistakes in a scenario, or in these options for it, before the run. */
  check?(scenario: ConversationScenario, options: Options): readonly Problem[];
  open(
    start: { readonly key: UnitKey; readonly scenario: ConversationScenario },
    options: Options,
    tools: Tools,
  ): UserSession;
}

export interface UserSession {
  /** Called before every turn with all turns so far. */
  next(soFar: readonly Invocation[]): Promise<UserMove>;
  close?(): Promise<void>;
}
