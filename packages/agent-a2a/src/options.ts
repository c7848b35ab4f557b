import { type Duration, toMilliseconds } from '@agent-criteria/calls';
import type { CredentialSettings } from '@agent-criteria/calls/agent-server';
import { CriteriaError, type State } from '@agent-criteria/core';

/** Settings for reaching an agent of the A2A protocol, and details of it that its card does not have. */
export interface A2aAgentOptions extends CredentialSettings {
  /** The agent's name in reports. Default: the name on a card that is given as an object, or else the host. */
  readonly name?: string | undefined;
  /**
   * Other origins that the card may name and that get the token and the headers, such as `https://rpc.example`. Default:
   * only the origin of the card gets them.
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * Whether a turn is streamed, which reports the tokens and times of an agent of ADK. Default: if the card says that the
   * agent can.
   */
  readonly streaming?: boolean | undefined;
  /** The instructions of the agent, which judges read. Default: not recorded, because a card has none. */
  readonly instructions?: string | undefined;
  /** Tool declarations as the model receives them: objects with a `name`. Judges read them. Default: not recorded. */
  readonly tools?: readonly State[] | undefined;
  /** The time limit for a turn. Default: only the run's own limit. */
  readonly turnTimeout?: Duration | undefined;
  /** The time limit for every other request. Default `"60s"`. */
  readonly requestTimeout?: Duration | undefined;
  /** The longest time between two questions about a task that is being worked on. Default `"1s"`. */
  readonly pollInterval?: Duration | undefined;
  /** The maximum size of one answer from the server, in bytes. Default 50,000,000. */
  readonly maxAnswerBytes?: number | undefined;
}

/**
 * Checks the options.
 *
 * @throws CriteriaError INVALID_CONFIG listing every mistake, without values, because some are secret.
 */
export function checkOptions(options: A2aAgentOptions): void {
  const wrong: string[] = [];
  for (const key of ['turnTimeout', 'requestTimeout', 'pollInterval', 'maxAnswerBytes'] as const) {
    const value = options[key];
    if (value !== undefined && !(toMilliseconds(value) > 0)) wrong.push(`${key} must be above 0`);
  }
  const isNamed = (tool: State): boolean => typeof tool === 'object' && tool !== null && typeof tool.name === 'string';
  if (!(options.tools ?? []).every(isNamed)) wrong.push('every tool must be a declaration with a name');
  for (const origin of options.trustedOrigins ?? []) {
    if (URL.canParse(origin) && new URL(origin).origin === origin.replace(/\/$/, '').toLowerCase()) continue;
    wrong.push('every one of trustedOrigins must be an origin, such as "https://rpc.example"');
  }
  if (wrong.length === 0) return;
  throw new CriteriaError(
    wrong.map((message) => ({
      code: 'INVALID_CONFIG',
      message: `options of an agent of the A2A protocol: ${message}`,
    })),
  );
}
