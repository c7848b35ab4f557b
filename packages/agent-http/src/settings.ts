import { type Duration, toMilliseconds } from '@agent-criteria/calls';
import { CriteriaError, type State } from '@agent-criteria/core';

/** How to speak to a server, and what it cannot tell about its agents. */
export interface HttpAgentSettings {
  /** The app, where the URL names none and the server has several. */
  readonly app?: string | undefined;
  /** How the agent is called in reports. Default: the name of the app, else the host. */
  readonly name?: string | undefined;
  /**
   * Sent as `Authorization: Bearer …`: a token, or a function that is asked before every request, for tokens that expire.
   * Default: `AGENT_CRITERIA_AGENT_TOKEN` of the environment.
   */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** Sent with every request, over those of the environment: `AGENT_CRITERIA_AGENT_HEADERS`, a JSON object of texts. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Instructions and tools of the server's agents, by the name of the agent. Where the server tells them itself
   * (`/app-info`), what stands here wins.
   */
  readonly agents?: Readonly<Record<string, HttpAgentDetails>> | undefined;
  /**
   * Where messages are sent: `run` answers when the turn is over, `run_sse` event by event, so that what was done is kept
   * when a turn breaks. Default: `run`, and `run_sse` where the server has no `run`.
   */
  readonly route?: 'run' | 'run_sse' | undefined;
  /** Whether models stream, too: `run_sse` with `streaming`. Parts of answers are only shown, never recorded. Default `false`. */
  readonly streaming?: boolean | undefined;
  /** How long a turn may take. Default: no limit but the run's. */
  readonly turnTimeout?: Duration | undefined;
  /** How long every other request may take. Default `"60s"`. */
  readonly requestTimeout?: Duration | undefined;
  /** Bytes that one answer of the server may have. Default 50,000,000. */
  readonly maxAnswerBytes?: number | undefined;
}

/** What an agent behind a URL is told and given. */
export interface HttpAgentDetails {
  readonly description?: string | undefined;
  /** As the developer wrote them. */
  readonly instructions?: string | undefined;
  /** Declarations as a model gets them: objects with a `name`. */
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
