import { type Duration, toMilliseconds } from '@agent-criteria/calls';
import { CriteriaError, type State } from '@agent-criteria/core';

/** How to reach a server, and details of its agents that it does not report. */
export interface HttpAgentSettings {
  /** The app, if the URL names none and the server has several. */
  readonly app?: string | undefined;
  /** The agent's name in reports. Default: the name of the app, else the host. */
  readonly name?: string | undefined;
  /**
   * Sent as `Authorization: Bearer …`: a token, or a function called before every request, for tokens that expire.
   * Default: `AGENT_CRITERIA_AGENT_TOKEN` of the environment.
   */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /**
   * Sent with every request; they override those of the variable `AGENT_CRITERIA_AGENT_HEADERS`, a JSON object of
   * strings.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Instructions and tools of the server's agents, by the name of the agent. They override what the server reports
   * (`/app-info`).
   */
  readonly agents?: Readonly<Record<string, HttpAgentDetails>> | undefined;
  /**
   * The route for messages: `run` answers at the end of the turn, `run_sse` event by event, so that the events of a
   * broken turn are kept. Default: `run`, or `run_sse` if the server has no `run`.
   */
  readonly route?: 'run' | 'run_sse' | undefined;
  /**
   * Whether models stream, too: `run_sse` with `streaming`. Partial answers are shown, never recorded. Default `false`.
   */
  readonly streaming?: boolean | undefined;
  /** The time limit of a turn. Default: only the run's limit. */
  readonly turnTimeout?: Duration | undefined;
  /** The time limit of every other request. Default `"60s"`. */
  readonly requestTimeout?: Duration | undefined;
  /** The maximum bytes of one answer of the server. Default 50,000,000. */
  readonly maxAnswerBytes?: number | undefined;
}

/** Details of an agent behind a URL. */
export interface HttpAgentDetails {
  readonly description?: string | undefined;
  /** As written by the developer. */
  readonly instructions?: string | undefined;
  /** Declarations as the model receives them: objects with a `name`. */
  readonly tools?: readonly State[] | undefined;
}

/** @throws CriteriaError INVALID_CONFIG with every mistake in the settings. Values are not shown: some are secret. */
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
