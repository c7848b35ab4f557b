import {
  type Answer,
  type Connection,
  exchange,
  notJson,
  refusalOf,
  shortened,
  sseData,
} from '@agent-criteria/calls/agent-server';
import { CriteriaError } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { type Payload, parsePayload } from './payloads.ts';

export interface RpcOptions {
  /** The time limit in milliseconds, or `undefined` for none. */
  readonly timeout: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The longest text of a server that a message quotes. */
const MOST_QUOTED = 1000;

/** JSON-RPC codes of a server that does not know a method, or does not support it. */
const UNSUPPORTED: ReadonlySet<unknown> = new Set([-32601, -32004]);

/**
 * Sends a JSON-RPC request and passes on what the server answers: one payload, or those of a stream as they arrive.
 *
 * @returns The error of a server that does not support what is asked, and has done nothing, or else `null`.
 * @throws CriteriaError AGENT_FAILED for any other error of the server, and for an answer that cannot be read; and as
 *   `exchange` does.
 */
export async function rpc(
  connection: Connection,
  body: object,
  options: RpcOptions,
  take: (payload: Payload) => void,
): Promise<CriteriaError | null> {
  return exchange(connection, { method: 'POST', path: '', body, ...options }, async (answer) => {
    const kept: { text?: string } = {};
    const refusal = await refusalOf({ ...answer, text: async () => (kept.text ??= await answer.text()) });
    if (refusal === null) {
      return answer.type === 'text/event-stream'
        ? takeStream(answer, take)
        : takeOne(await answer.text(), answer, take);
    }
    const { error } = Object(fromJson(kept.text ?? '')) as { readonly error?: unknown };
    if (isObject(error) && UNSUPPORTED.has(error.code)) return refusal.error;
    throw refusal.error;
  });
}

async function takeStream(answer: Answer, take: (payload: Payload) => void): Promise<CriteriaError | null> {
  let isFirst = true;
  for await (const data of sseData(answer.chunks)) {
    const unsupported = takeOne(data, answer, take);
    if (unsupported !== null && isFirst) return unsupported;
    if (unsupported !== null) throw unsupported;
    isFirst = false;
  }
  return null;
}

/** Takes one response. Returns the error of a server that does not support what was asked. */
function takeOne(text: string, answer: Answer, take: (payload: Payload) => void): CriteriaError | null {
  const response = fromJson(text);
  if (response === undefined) throw answer.error(notJson(answer.hide(text), answer.type, answer.advice));
  if (!isObject(response)) throw answer.error(`the answer is not a response of JSON-RPC: ${answer.advice.notJson}`);
  const { error, result } = response;
  if (error !== undefined && error !== null) {
    const { code, message, data } = Object(error) as Readonly<Record<string, unknown>>;
    const failure = answer.error(`the server answered with an error: ${answer.hide(wordsOf(code, message, data))}`);
    if (UNSUPPORTED.has(code)) return failure;
    throw failure;
  }
  // Errors about the content of an answer get its address, and show no secrets.
  try {
    take(parsePayload(result));
    return null;
  } catch (cause) {
    if (!CriteriaError.is(cause) || cause.code !== 'INVALID_DATA') throw cause;
    throw answer.error(`the answer does not follow the A2A protocol: ${answer.hide(cause.message)}`);
  }
}

function wordsOf(code: unknown, message: unknown, data: unknown): string {
  const number = typeof code === 'number' ? ` (${code})` : '';
  const said = typeof message === 'string' && message !== '' ? message : 'without a message';
  const details = typeof data === 'string' && data !== '' ? `: ${data}` : '';
  return shortened(`${said}${details}${number}`, MOST_QUOTED);
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
