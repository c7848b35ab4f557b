import { type Duration, toMilliseconds } from '@agent-criteria/calls';
import { CriteriaError, type Invocation, type Json, type State } from '@agent-criteria/core';
import { each, parseValuePath } from '@agent-criteria/values';
import { templateProblems } from './template.ts';

/** The form of requests to an HTTP endpoint, and the places of answers, calls and usage in its responses. */
export interface EndpointOptions {
  /**
   * Where messages are sent. `{{session.id}}`, `{{user.id}}` and `{{message}}` are replaced and encoded. Must not
   * contain credentials, because it is printed and saved.
   */
  readonly url: string;
  /** Default `POST`. A `GET` has no body. */
  readonly method?: 'GET' | 'POST' | 'PATCH' | undefined;
  /** The agent's name in reports. Default: the host. */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** The agent's instructions as written by the developer. Judges read them. Default: not recorded. */
  readonly instructions?: string | undefined;
  /** The agent's tools: declarations as OpenAI's API or Gemini takes them. Judges read them. Default: not recorded. */
  readonly tools?: readonly object[] | undefined;
  /** Sent with every request and never recorded. `{{env.NAME}}` is replaced by an environment variable. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The body as JSON with placeholders in its strings: `{{message}}` (the text), `{{content}}` (the message with its
   * files, as Gemini's content), `{{history}}` (earlier messages as `{ role, content }`), `{{session.id}}`,
   * `{{user.id}}`, `{{state}}` and `{{state.key}}`. A string that is only a placeholder becomes its value, or is left out if
   * there is none; in a list, `{{history}}` becomes its items. A function can build the body instead.
   * Default `{ message: '{{message}}', session_id: '{{session.id}}' }`.
   */
  readonly body?: Json | ((request: EndpointRequest) => Json) | undefined;
  /**
   * Where the answer is, as `$.output.text`. With `[*]`, all texts are joined. In a stream, the last event that has it
   * counts. Values that are not text are recorded as JSON.
   */
  readonly answer?: AnswerPath | undefined;
  /** Where the events of a stream have pieces of the answer. `$` is the whole data. */
  readonly delta?: AnswerPath | undefined;
  /** Where the tool calls are: a path if they have the fields of OpenAI, the AI SDK or ADK. Default: not recorded. */
  readonly calls?: AnswerPath | CallPaths | undefined;
  /** Where the results of calls are, if the calls do not have them. Default: calls have their results, or none. */
  readonly results?: ResultPaths | undefined;
  /** Where the tokens are: an object, or one for each model call, as OpenAI, Gemini or the AI SDK write them. */
  readonly usage?: AnswerPath | undefined;
  /** Where the name of the model is. Default: not recorded. */
  readonly model?: AnswerPath | undefined;
  /** Where the reason is why the answer ended. Reasons such as `length` mark it as incomplete. Default: complete. */
  readonly finishReason?: AnswerPath | undefined;
  /** Where an answer with status 200 has an error, which is not scored. Default `$.error`. */
  readonly error?: AnswerPath | undefined;
  /** Where answers have the session's id. Default: every session gets a new id, which is sent as `{{session.id}}`. */
  readonly session?: AnswerPath | undefined;
  /** Where answers have the session's state, which is then recorded and sent as `{{state}}`. Default: state is unknown. */
  readonly state?: AnswerPath | undefined;
  /** The time limit for a turn. Default: only the run's own limit. */
  readonly turnTimeout?: Duration | undefined;
  /** The maximum size of one answer, in bytes. Default 50,000,000. */
  readonly maxAnswerBytes?: number | undefined;
}

/** A path such as `$.choices[0].message.content`, or one into events of a stream that have a certain name. */
export type AnswerPath = string | EventPath;

export interface EventPath {
  readonly path: string;
  /** The name of the events, or, if they have none, the `type` in their data. Default: all events. */
  readonly event?: string | undefined;
}

/** Paths of calls. Those inside a call begin at the call, as `function.name`. */
export interface CallPaths extends EventPath {
  /** Values that a call has at paths, to choose calls from a list of several things. Default: all. */
  readonly where?: Readonly<Record<string, Json>> | undefined;
  /** Without it, calls are read with the fields of OpenAI, the AI SDK or ADK. */
  readonly name?: string | undefined;
  readonly args?: string | undefined;
  readonly id?: string | undefined;
  readonly result?: string | undefined;
  readonly error?: string | undefined;
}

/** Paths of results. Those inside a result begin at the result, as `output`. */
export interface ResultPaths extends EventPath {
  /** Values that a result has at paths, to choose results from a list of several things. Default: all. */
  readonly where?: Readonly<Record<string, Json>> | undefined;
  /** The id of the call that it answers. */
  readonly id: string;
  readonly result: string;
  readonly error?: string | undefined;
}

/** The values from which a body is built. */
export interface EndpointRequest {
  readonly message: string;
  /** The message with its files, as Gemini's content. */
  readonly content: Json;
  /** The turns before this one. */
  readonly history: readonly Invocation[];
  readonly state: State;
  /** `null` if the server chooses the id and has not answered yet. */
  readonly sessionId: string | null;
  readonly userId: string;
}

/** The options whose value is an `AnswerPath`, or an object with more paths. */
export const PATH_KEYS = [
  ...(['answer', 'delta', 'calls', 'results', 'usage', 'model'] as const),
  ...(['finishReason', 'error', 'session', 'state'] as const),
];

const OTHER_KEYS = ['url', 'method', 'name', 'description', 'instructions', 'tools', 'headers', 'body'];
const KNOWN: readonly string[] = [...PATH_KEYS, ...OTHER_KEYS, 'turnTimeout', 'maxAnswerBytes'];

/** Placeholders of the URL. */
const IN_URL = ['message', 'session.id', 'user.id'];
/** Placeholders of the body; `state.` is followed by a path. */
export const IN_BODY: readonly string[] = [...IN_URL, 'content', 'history', 'state', 'state.'];

/** @throws CriteriaError INVALID_CONFIG that lists every mistake, without the values of headers. */
export function checkEndpointOptions(options: EndpointOptions): void {
  const wrong: string[] = Object.keys(options)
    .filter((key) => !KNOWN.includes(key))
    .map((key) => `unknown option "${key}"; it may have ${KNOWN.join(', ')}`);
  wrong.push(...urlProblems(options.url));
  const { method = 'POST', body, headers = {}, answer, delta } = options;
  if (!['GET', 'POST', 'PATCH'].includes(method)) wrong.push('method must be GET, POST or PATCH');
  if (method === 'GET' && body !== undefined) wrong.push('a GET has no body: put {{message}} into the URL');
  if (typeof body !== 'function') wrong.push(...templateProblems(body ?? null, IN_BODY).map((one) => `body${one}`));
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string') wrong.push(`the header "${name}" must be text, as '{{env.…}}'`);
    else wrong.push(...templateProblems(value, ['env.']).map((one) => `headers["${name}"]${one}`));
  }
  if (answer === undefined && delta === undefined) {
    wrong.push('there is no answer: name its path, as answer: "$.output.text", or delta for the pieces of a stream');
  }
  for (const key of PATH_KEYS) wrong.push(...pathProblems(key, options[key]));
  for (const key of ['turnTimeout', 'maxAnswerBytes'] as const) {
    const value = options[key];
    if (value !== undefined && !(toMilliseconds(value) > 0)) wrong.push(`${key} must be above 0`);
  }
  if (wrong.length === 0) return;
  throw new CriteriaError(wrong.map((message) => ({ code: 'INVALID_CONFIG', message: `endpointAgent: ${message}` })));
}

function urlProblems(url: unknown): readonly string[] {
  if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    return ['url must start with http:// or https://'];
  }
  const { username, password } = new URL(url);
  if (username !== '' || password !== '') {
    return ['the URL must not contain credentials, because it is printed and saved: use headers'];
  }
  const { host, protocol } = new URL(url.replace(/\{\{[^{}]*\}\}/g, 'x'));
  const fixed = /^https?:\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
  if (fixed.includes('{{')) return [`the host must not contain placeholders; found "${protocol}//${host}"`];
  return templateProblems(url, IN_URL).map((one) => `url${one}`);
}

function pathProblems(key: string, given: unknown): readonly string[] {
  if (given === undefined) return [];
  if (typeof given === 'string') return pathProblem(key, given);
  if (typeof given !== 'object' || given === null) return [`${key} must be a path, as "$.output.text"`];
  const { event, where = {}, ...paths } = given as Record<string, unknown>;
  const known = key === 'calls' ? IN_CALL : key === 'results' ? IN_RESULT : ['path'];
  const conditions = Object.keys(where as object);
  return [
    ...Object.keys(paths)
      .filter((name) => !known.includes(name))
      .map((name) => `unknown key "${name}" in ${key}; it may have ${[...known, 'event'].join(', ')}`),
    ...(event === undefined || typeof event === 'string' ? [] : [`${key}.event must be the name of an event`]),
    ...(paths.path === undefined ? [`${key} needs a path`] : []),
    ...known.flatMap((name) => (paths[name] === undefined ? [] : pathProblem(`${key}.${name}`, paths[name]))),
    ...conditions.flatMap((path) => pathProblem(`${key}.where`, path)),
    ...(key === 'calls' && paths.name === undefined && ['args', 'id', 'result', 'error'].some((name) => name in paths)
      ? ['calls with paths need the path of their name']
      : []),
    ...(key === 'results' ? ['id', 'result'] : [])
      .filter((name) => paths[name] === undefined)
      .map((name) => `results need the path of their ${name}`),
  ];
}

const IN_CALL = ['path', 'name', 'args', 'id', 'result', 'error'];
const IN_RESULT = ['path', 'id', 'result', 'error'];

function pathProblem(key: string, path: unknown): readonly string[] {
  if (typeof path !== 'string') return [`${key} must be a path, as "$.output.text"`];
  const parsed = parseValuePath(path);
  if ('problem' in parsed) return [`${key} "${path}" is not a path: ${parsed.problem}`];
  if (key === 'calls.name' && parsed.path.includes(each)) return [`${key} must lead to one value, without [*]`];
  return [];
}
