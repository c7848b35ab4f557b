import type { Content, ConversationScenario, Invocation, Problem, State } from '@agent-criteria/formats';
import type { OptionsSchema } from './options-schema.ts';
import type { Registered } from './registered.ts';
import type { Tools } from './tools.ts';
import type { UnitKey } from './transcript.ts';

/** The next thing a simulated user does. Message and ending together: deliver the message, then end. */
export type UserMove =
  | { readonly message: Content; readonly ending?: undefined }
  | {
      readonly message?: Content | undefined;
      readonly ending: { readonly by: 'user' | 'turn-limit'; readonly reason?: string | undefined };
    };

/** Leads a conversation from a scenario. Its name is the `type` of `user_simulator_config`. */
export interface UserSimulator<Name extends string = string, Input = unknown, Options = unknown>
  extends Registered<'user-simulator', Name> {
  readonly options: OptionsSchema<Input, Options>;
  models?(options: Options): readonly string[];
  /** How these models are to be set: looked at by them before anything runs. Default: not at all. */
  modelSettings?(options: Options): State;
  /** What is wrong with a scenario, or with these options for it: found before anything runs. */
  check?(scenario: ConversationScenario, options: Options): readonly Problem[];
  open(
    start: { readonly key: UnitKey; readonly scenario: ConversationScenario },
    options: Options,
    tools: Tools,
  ): UserSession;
}

export interface UserSession {
  /** Is asked before every turn with all turns so far. */
  next(soFar: readonly Invocation[]): Promise<UserMove>;
  close?(): Promise<void>;
}
