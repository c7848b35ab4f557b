import { type Content, CriteriaError, type FunctionResponse } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { type AgentStep, type ReadCall, readCall, responseOf, usageMetadata } from '@agent-criteria/formats/messages';
import { equalValues } from '@agent-criteria/values';
import { findValue, findValues } from './find-values.ts';
import type { AnswerPath, CallPaths, EndpointOptions, EventPath, ResultPaths } from './options.ts';
import { shapeOf } from './shape.ts';

/** A whole answer, or an event of a stream. */
export interface Message {
  /** The name of an event. */
  readonly event?: string | undefined;
  readonly data: unknown;
}

/** Everything that the messages of a turn have held so far. */
export interface Reading {
  /**
   * Reads a message.
   * @returns The piece of the answer in it, or an empty string.
   * @throws CriteriaError AGENT_FAILED if it has an error, or something cannot be read.
   */
  take(message: Message): string;
  /** The id of the session, or `null` if none was found. */
  sessionId(): string | null;
  /** The state of the session, or `undefined` if none was found. */
  state(): unknown;
  /** The reason why the answer is incomplete, or `undefined` if it is complete. */
  cutOff(): string | undefined;
  /** The calls and model calls so far. */
  steps(): readonly AgentStep[];
  /** The text so far, or `null` if nothing had any. */
  text(): string | null;
  /**
   * Returns the answer, or `null` if it is empty.
   * @throws CriteriaError AGENT_FAILED, with the shape of what came, if no path of the answer found anything.
   */
  answer(): Content | null;
}

/** Reasons for the end of a complete answer, in lower case, of OpenAI, Anthropic, Gemini and the AI SDK. */
const COMPLETE: ReadonlySet<string> = new Set([
  ...['stop', 'completed', 'complete', 'done', 'end_turn', 'stop_sequence'],
  ...['tool_calls', 'tool-calls', 'tool_use', 'function_call', 'finish_reason_unspecified'],
]);

/** The number of kinds of events that an error describes. */
const MOST_KINDS = 6;

/** Begins to read the answer of a turn. */
export function readAnswer(options: EndpointOptions): Reading {
  const { error: errorPath = '$.error' } = options;
  const calls: ReadCall[] = [];
  const results = new Map<string, FunctionResponse['response']>();
  const usages: unknown[] = [];
  const models: string[] = [];
  const shapes = new Map<string, string>();
  let whole: string | null = null;
  let pieces: string | null = null;
  let session: string | null = null;
  let state: unknown;
  let reason: string | null = null;

  return {
    take(message) {
      const kind = eventName(message) ?? '';
      if (!shapes.has(kind) && shapes.size < MOST_KINDS) shapes.set(kind, shapeOf(message.data));
      const said = found(message, errorPath).find((one) => one !== null && one !== false && one !== '');
      if (said !== undefined) throw failed(`the agent failed: ${textOfError(said)}`);
      const answers = found(message, options.answer);
      if (answers.length > 0) whole = textsOf(answers);
      const more = found(message, options.delta);
      const piece = textsOf(more);
      if (more.length > 0) pieces = (pieces ?? '') + piece;
      for (const call of listed(found(message, options.calls))) {
        if (isChosen(call, options.calls)) calls.push(readOne(call, options.calls));
      }
      for (const result of listed(found(message, options.results))) addResult(result, options.results);
      for (const usage of listed(found(message, options.usage))) {
        if (usage === null) continue;
        if (!isObject(usage)) throw failed(`usage must lead to an object of token counts; found ${shapeOf(usage)}`);
        usages.push(usage);
      }
      for (const model of found(message, options.model)) if (typeof model === 'string') models.push(model);
      for (const id of found(message, options.session)) {
        if (typeof id === 'string' || typeof id === 'number') session = String(id);
      }
      state = found(message, options.state).at(-1) ?? state;
      for (const one of found(message, options.finishReason)) if (typeof one === 'string') reason = one;
      return piece;
    },
    sessionId: () => session,
    state: () => state,
    cutOff: () => (reason === null || COMPLETE.has(reason.toLowerCase()) ? undefined : reason),
    steps() {
      const ofModel = usages.map((usage, at): AgentStep => {
        return { kind: 'model', model: modelOf(usage) ?? models[at] ?? models.at(-1), usage: usageMetadata(usage) };
      });
      const ofCalls = calls.map((one): AgentStep => ({ kind: 'call', ...withResult(one, results) }));
      // The first model call leads to the tool calls; the last one writes the answer.
      return [...ofModel.slice(0, -1), ...ofCalls, ...ofModel.slice(-1)];
    },
    text: () => whole ?? pieces,
    answer() {
      const text = whole ?? pieces;
      if (text === null) throw failed(nothingFound(options, shapes));
      return text === '' ? null : { role: 'model', parts: [{ text }] };
    },
  };

  function addResult(value: unknown, paths: ResultPaths | undefined): void {
    if (paths === undefined || !fits(value, paths.where)) return;
    const id = findValue(value, paths.id);
    if (typeof id !== 'string') throw failed(`a result has no id at "${paths.id}"; it is ${shapeOf(value)}`);
    const error = paths.error === undefined ? null : (findValue(value, paths.error) ?? null);
    results.set(id, error === null ? responseOf(unquoted(findValue(value, paths.result) ?? null)) : errorOf(error));
  }
}

function errorOf(error: unknown): Readonly<Record<string, unknown>> {
  return { error: textOfError(error) };
}

/** Returns JSON text as its value, because OpenAI's results are texts. */
function unquoted(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function withResult(read: ReadCall, results: ReadonlyMap<string, FunctionResponse['response']>): ReadCall {
  const { id, name } = read.call;
  const response = read.response === null && id ? results.get(id) : undefined;
  return response === undefined ? read : { ...read, response: { id, name, response } };
}

/** The name of an event, or, if it has none, the type in its data. */
function eventName({ event, data }: Message): string | undefined {
  if (event !== undefined) return event;
  return isObject(data) && typeof data.type === 'string' ? data.type : undefined;
}

/** Finds all values at a path, or none if the path is for other events. */
function found(message: Message, path: AnswerPath | EventPath | undefined): readonly unknown[] {
  if (path === undefined) return [];
  const { path: where, event } = typeof path === 'string' ? { path, event: undefined } : path;
  if (event !== undefined && eventName(message) !== event) return [];
  return findValues(message.data, where);
}

/** Flattens lists: `$.calls` and `$.calls[*]` mean the same. */
function listed(values: readonly unknown[]): readonly unknown[] {
  return values.flatMap((value) => value ?? []);
}

function isChosen(value: unknown, paths: AnswerPath | CallPaths | undefined): boolean {
  return typeof paths !== 'object' || !('where' in paths) || fits(value, paths.where);
}

function fits(value: unknown, where: Readonly<Record<string, unknown>> = {}): boolean {
  return Object.entries(where).every(([path, expected]) => equalValues(findValue(value, path), expected, 'json'));
}

function readOne(value: unknown, paths: AnswerPath | CallPaths | undefined): ReadCall {
  const read = readCall(isNamed(paths) ? spelled(value, paths) : value);
  if ('problem' in read) throw failed(`calls: ${read.problem}; it is ${shapeOf(value)}`);
  return read;
}

function isNamed(paths: AnswerPath | CallPaths | undefined): paths is CallPaths & { readonly name: string } {
  return typeof paths === 'object' && 'name' in paths && paths.name !== undefined;
}

function spelled(value: unknown, paths: CallPaths): object {
  const at = (path: string | undefined) => (path === undefined ? undefined : findValue(value, path));
  return {
    id: at(paths.id),
    name: at(paths.name),
    args: at(paths.args),
    result: unquoted(at(paths.result)),
    error: at(paths.error),
  };
}

function textsOf(values: readonly unknown[]): string {
  return values
    .map((value) => (value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)))
    .join('');
}

function textOfError(error: unknown): string {
  const message = isObject(error) ? (error.message ?? error.detail ?? error) : error;
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  return text.length <= MOST_SAID ? text : `${text.slice(0, MOST_SAID)}…`;
}

const MOST_SAID = 1000;

function modelOf(usage: unknown): string | undefined {
  if (!isObject(usage)) return undefined;
  return [usage.model, usage.modelId].find((one) => typeof one === 'string');
}

function nothingFound({ answer, delta }: EndpointOptions, shapes: ReadonlyMap<string, string>): string {
  const paths = Object.entries({ answer, delta }).flatMap(([key, path]) =>
    path === undefined ? [] : [`${key} (${pathInWords(path)})`],
  );
  const came = [...shapes].map(([kind, shape]) => (kind === '' ? shape : `${JSON.stringify(kind)} ${shape}`));
  const what = came.length === 0 ? 'the stream had no events' : `what came is ${came.join('; ')}`;
  return `${paths.join(' and ')} found nothing: ${what}. Correct the path, or the request`;
}

function pathInWords(path: AnswerPath): string {
  if (typeof path === 'string') return path;
  return path.event === undefined ? path.path : `${path.path} of the event "${path.event}"`;
}

function failed(message: string): CriteriaError {
  return new CriteriaError({ code: 'AGENT_FAILED', message });
}
