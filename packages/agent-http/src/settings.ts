import { type Duration, toMilliseconds } from '@agent-criteria/calls';
import type { CredentialSettings } from '@agent-criteria/calls/agent-server';
import { CriteriaError, type State } from '@agent-criteria/core';

/** How to reach a server, and details of its agents that it does not report. */
export interface HttpAgentSettings extends CredentialSettings {
  /** The app to use if the URL names none and the server has several. */
  readonly app?: string | undefined;
  /** The agent's name in reports. Default: the name of the app, or else the host. */
  readonly name?: string | undefined;
  /**
   * Instructions and tools of the server's agents, keyed by agent name. They override what the server reports
   * (`/app-info`).
   */
  readonly agents?: Readonly<Record<string, HttpAgentDetails>> | undefined;
  /**
   * The route for messages. `run` answers at the end of the turn, `run_sse` event by event, so that the events of a
   * failed turn are kept. Default: `run`, or `run_sse` if the server has no `run`.
   */
  readonly route?: 'run' | 'run_sse' | undefined;
  /**
   * Whether model output is streamed too, with the `streaming` flag of `run_sse`. Partial answers are displayed but
   * never recorded. Default `false`.
   */
  readonly streaming?: boolean | undefined;
  /** The time limit for a turn. Default: only the run's own limit. */
  readonly turnTimeout?: Duration | undefined;
  /** The time limit for every other request. Default `"60s"`. */
  readonly requestTimeout?: Duration | undefined;
  /** The maximum size of one answer from the server, in bytes. Default 50,000,000. */
  readonly maxAnswerBytes?: number | undefined;
}

/** Details of an agent behind a URL. */
export interface HttpAgentDetails {
  readonly description?: string | undefined;
  /** The instructions as written by the developer. */
  readonly instructions?: string | undefined;
  /** Tool declarations as the model receives them: objects with a `name`. */
  readonly tools?: readonly State[] | undefined;
}

/**
 * Checks the settings.
 *
 * @throws CriteriaError INVALID_CONFIG listing every mistake, without values, because some are secret.
 */
export function checkSettings(settings: HttpAgentSettings): void {
  const { route, agents = {} } = settings;
  const wrong: string[] = [];
  for (const key of ['turnTimeout', 'requestTimeout', 'maxAnswerBytes'] as const) {
    const value = settings[key];
    if (value !== undefined && !(toMilliseconds(value) > 0)) wrong.push(`${key} must be above 0`);
  }
  if (route !== undefined && route !== 'run' && route !== 'run_sse') wrong.push('route must be "run" or "run_sse"');
  if (route === 'run' && settings.streaming === true) {
    wrong.push('streaming needs the route "run_sse": remove route, or streaming');
  }
  for (const [name, { tools = [] }] of Object.entries(agents)) {
    const isNamed = (tool: State) => typeof tool === 'object' && tool !== null && typeof tool.name === 'string';
    if (!tools.every(isNamed)) wrong.push(`every tool of agents["${name}"] must be a declaration with a name`);
  }
  if (wrong.length === 0) return;
  throw new CriteriaError(
    wrong.map((message) => ({ code: 'INVALID_CONFIG', message: `settings of an agent behind a URL: ${message}` })),
  );
}
