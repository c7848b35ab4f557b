import type { FunctionCall, FunctionResponse } from '../data/model.ts';
import { isObject } from '../json.ts';

/**
 * A tool call as an agent reports it, with its result if it has one. Takes the spellings of ADK (`name`, `args`), of the
 * AI SDK (`toolName`, `input`, `toolCallId`, `output`) and of OpenAI (`arguments` as JSON, `call_id`, `function`).
 */
export interface ReportedCall {
  readonly type?: string | undefined;
  readonly id?: string | null | undefined;
  readonly toolCallId?: string | undefined;
  readonly callId?: string | undefined;
  readonly call_id?: string | undefined;
  readonly name?: string | null | undefined;
  readonly toolName?: string | undefined;
  /** OpenAI's chat completions have the name and the arguments here. */
  readonly function?: { readonly name: string; readonly arguments?: unknown } | undefined;
  /** The arguments: an object. Default: not recorded. */
  readonly args?: unknown;
  readonly input?: unknown;
  /** An object, or JSON text. */
  readonly arguments?: unknown;
  /** The tool's result. A value other than an object is recorded as `{ result: value }`. Default: not recorded. */
  readonly result?: unknown;
  readonly output?: unknown;
  /** Why the call failed: an error or a message, recorded as `{ error: message }`. Default: it did not fail. */
  readonly error?: unknown;
  /** The agent that made the call. Default: the agent under test. */
  readonly author?: string | undefined;
}

/** A call and its response in ADK's format. */
export interface ReadCall {
  readonly call: FunctionCall;
  /** `null` if no result was reported. */
  readonly response: FunctionResponse | null;
  readonly author: string | undefined;
}

const KEYS: Readonly<Record<'id' | 'name' | 'args' | 'result' | 'ignored', readonly string[]>> = {
  id: ['toolCallId', 'callId', 'call_id', 'id'],
  name: ['toolName', 'name'],
  args: ['args', 'input', 'arguments'],
  result: ['result', 'output'],
  // Keys of calls in the AI SDK and OpenAI's API that say nothing about the call itself.
  ignored: [
    ...['type', 'function', 'error', 'author', 'status', 'dynamic', 'providerExecuted', 'providerMetadata', 'title'],
    ...['invalid', 'namespace', 'preliminary', 'toolMetadata'],
  ],
};
const KNOWN = new Set(Object.values(KEYS).flat());

/**
 * Reads a call in any of the spellings. A misspelt key is a problem, because it would silently lose a part of the call.
 * @returns `{ problem }` with the reason if it cannot be read.
 */
export function readCall(value: unknown): ReadCall | { readonly problem: string } {
  if (!isObject(value)) return { problem: `a tool call must be an object with a name, as ${EXAMPLE}` };
  const inner = isObject(value.function) ? value.function : {};
  const name = firstOf(value, KEYS.name) ?? inner.name;
  if (typeof name !== 'string' || name === '') {
    return { problem: `a tool call must be an object with a name, as ${EXAMPLE}; found the keys ${keysOf(value)}` };
  }
  const unknown = Object.keys(value).find((key) => !KNOWN.has(key));
  if (unknown !== undefined) {
    const known = [...KEYS.id, ...KEYS.name, ...KEYS.args, ...KEYS.result, 'error', 'author'];
    return { problem: `the tool call "${name}" has the unknown key "${unknown}"; it may have ${known.join(', ')}` };
  }
  const args = argsOf(firstOf(value, KEYS.args) ?? inner.arguments);
  if (args === null) {
    return { problem: `the arguments of the tool call "${name}" must be an object, or the JSON text of one` };
  }
  const id = firstOf(value, KEYS.id);
  const idOf = typeof id === 'string' && id !== '' ? { id } : {};
  const { error, author } = value;
  const result = firstOf(value, KEYS.result);
  const response =
    error !== undefined && error !== null
      ? { error: messageOf(error) }
      : result === undefined
        ? null
        : responseOf(result);
  return {
    call: { ...idOf, name, ...(args === undefined ? {} : { args }) },
    response: response === null ? null : { ...idOf, name, response },
    author: typeof author === 'string' && author !== '' ? author : undefined,
  };
}

const EXAMPLE = "{ name: 'search', args: { q: 'x' }, result: { found: 3 } }";

/** Wraps a tool's answer in an object, as ADK does, unless it is one. */
export function responseOf(result: unknown): Readonly<Record<string, unknown>> {
  return isObject(result) ? result : { result };
}

/** Returns the message of an error in any form. */
export function messageOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (isObject(error) && typeof error.message === 'string') return error.message;
  try {
    return JSON.stringify(error) ?? String(error);
  } catch {
    return String(error);
  }
}

/** Returns `null` for arguments that are no object. */
function argsOf(value: unknown): Readonly<Record<string, unknown>> | null | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (isObject(value)) return value;
  if (typeof value !== 'string') return null;
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function firstOf(value: Readonly<Record<string, unknown>>, keys: readonly string[]): unknown {
  return keys.map((key) => (Object.hasOwn(value, key) ? value[key] : undefined)).find((one) => one !== undefined);
}

function keysOf(value: object): string {
  return Object.keys(value).slice(0, 8).join(', ') || '(none)';
}
