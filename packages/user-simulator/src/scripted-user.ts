import {
  type Content,
  type ConversationScenario,
  contentText,
  type Invocation,
  optionsSchema,
  type PartialOptions,
  type Tools,
  type UnitKey,
  type UserMove,
  type UserSimulator,
} from '@agent-criteria/core';
import { defineUserSimulator } from './define-user-simulator.ts';
import { atTurnLimit, maxAllowedInvocationsProperty } from './turn-limit.ts';

/** The argument of a scripted user's function. */
export interface ScriptedTurn {
  /** The number of messages sent so far. It is at least 1, because the scenario provides the first message. */
  readonly turn: number;
  /** The agent's last answer, or `''` if there is none. */
  readonly answer: string;
  readonly soFar: readonly Invocation[];
  readonly scenario: ConversationScenario;
  readonly key: UnitKey;
  /** Models, for users that are only partly scripted, and the run's abort signal. */
  readonly tools: Tools;
}

/**
 * The next message, as a string or a `Content`; `null` or `undefined` to end the conversation; or a `UserMove`, which
 * can give a reason, or both a message and an ending.
 */
export type ScriptedReply = string | Content | UserMove | null | undefined;

/** A scripted user's function. */
export type UserScript = (turn: ScriptedTurn) => ScriptedReply | Promise<ScriptedReply>;

/** The options of a scripted user. */
export interface ScriptedUserOptions {
  /**
   * The maximum number of user messages, including the starting prompt. A negative number means no limit. Default 20.
   */
  readonly maxAllowedInvocations: number;
}

const options = optionsSchema({
  type: 'object',
  properties: { maxAllowedInvocations: maxAllowedInvocationsProperty },
});

/**
 * Creates a simulated user whose messages come from a function. It opens with the scenario's starting prompt; the
 * function is called after each of the agent's answers. If it throws, the conversation ends with the user's error.
 *
 * ```ts
 * const impatient = scriptedUser('impatient', ({ answer }) => (answer.includes('?') ? 'No idea.' : null));
 * const config = { plugins: [impatient], user_simulator_config: { type: 'impatient' }, criteria: { … } };
 * ```
 *
 * @param name The `type` to use in `user_simulator_config`.
 */
export function scriptedUser<const Name extends string>(
  name: Name,
  script: UserScript,
): UserSimulator<Name, PartialOptions<ScriptedUserOptions>, ScriptedUserOptions> {
  return defineUserSimulator({
    name,
    origin: { package: 'scripted-user', version: '0.0.0' },
    options,
    open({ key, scenario }, { maxAllowedInvocations }, tools) {
      return {
        async next(soFar) {
          const limit = atTurnLimit(soFar.length, maxAllowedInvocations);
          if (limit !== null) return limit;
          if (soFar.length === 0) return { message: said(scenario.startingPrompt) };
          const answer = contentText(soFar.at(-1)?.finalResponse);
          return nextOf(await script({ turn: soFar.length, answer, soFar, scenario, key, tools }));
        },
      };
    },
  });
}

function nextOf(reply: ScriptedReply): UserMove {
  if (reply === null || reply === undefined) return { ending: { by: 'user', reason: 'the script ended' } };
  if (typeof reply === 'string') return { message: said(reply) };
  if (!isContent(reply)) return reply;
  const { role = 'user', ...rest } = reply;
  return { message: { role, ...rest } };
}

function isContent(reply: Content | UserMove): reply is Content {
  return 'parts' in reply;
}

function said(text: string): Content {
  return { role: 'user', parts: [{ text }] };
}
