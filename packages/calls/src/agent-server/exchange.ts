import { CriteriaError } from '@agent-criteria/core';
import type { HttpAnswer } from '../http/exchange.ts';
import { openTimeLimit, timeInWords } from '../time-limit.ts';
import type { Credentials } from './credentials.ts';

/** A server, with the settings common to all requests to it. */
export interface Connection {
  /** The server's root URL, without a trailing slash. */
  readonly server: string;
  readonly maxAnswerBytes: number;
  /** Advice about a server that does not answer as expected, for messages. */
  readonly advice: Advice;
  /** Called for each request, because tokens expire. */
  credentials(): Promise<Credentials>;
}

/** Advice for messages, each to be continued or to end a sentence. */
export interface Advice {
  /** The way to send credentials, as `set KEY to a token`. */
  readonly signIn: string;
  /** The way to start the server. */
  readonly start: string;
  /** A question about an answer that is not JSON. */
  readonly notJson: string;
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below the server's root, encoded. */
  readonly path: string;
  readonly body?: unknown;
  /** The time limit for the whole exchange in milliseconds, or `undefined` for none. */
  readonly timeout: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A server's response. */
export interface Answer extends Pick<HttpAnswer, 'status' | 'chunks' | 'text'> {
  /** The media type in lower case, such as `application/json`. */
  readonly type: string;
  readonly advice: Advice;
  /** The target of a redirect. */
  readonly location: string | null;
  /** Masks credentials in a string from the server. */
  hide(text: string): string;
  /** Creates an error about this answer, with the request as its location. */
  error(message: string): CriteriaError;
}

/**
 * Sends a request and reads its answer. The socket is always closed: after an answer, an error, a timeout or an abort.
 *
 * @throws CriteriaError AGENT_FAILED or TIMEOUT with the request as its location, the signal's reason, or an error
 *   thrown by `read`.
 */
export async function exchange<T>(
  connection: Connection,
  { method, path, body, timeout, signal }: Request,
  read: (answer: Answer) => Promise<T>,
): Promise<T> {
  const { server, maxAnswerBytes: maxBytes, advice } = connection;
  const url = new URL(server + path);
  // Without the query, which may contain the user's message.
  const file = `${method} ${url.origin}${url.pathname}`;
  const error = (message: string) => new CriteriaError({ code: 'AGENT_FAILED', file, message });
  const tooLong = () => error(`the answer is larger than the limit of ${maxBytes} bytes (maxAnswerBytes)`);
  const tooLate = () => {
    const message = `the server did not answer within ${timeInWords(timeout ?? 0)}`;
    return new CriteriaError({ code: 'TIMEOUT', file, message });
  };
  // Loaded on the first request, because node:http takes longer to load than all other modules together.
  const { exchange: send } = await import('../http.ts');
  const { headers: own, hide } = await connection.credentials();
  // A server may close a kept-alive connection just as it is reused.
  const headers = { accept: 'application/json, text/event-stream', ...own, connection: 'close' };
  const limit = openTimeLimit({ signal, milliseconds: timeout, tooLate });
  let answered = false;
  try {
    return await send(url, { method, headers, body, signal: limit.signal, maxBytes, tooLong }, (answer) => {
      answered = true;
      const { 'content-type': type = '', location = null } = answer.headers;
      return read({ ...answer, type: type.split(';')[0]?.trim().toLowerCase() ?? '', advice, location, hide, error });
    });
  } catch (thrown) {
    limit.signal.throwIfAborted();
    if (CriteriaError.is(thrown) || !isNetworkError(thrown)) throw thrown;
    const message = networkMessage(thrown, url, answered, advice);
    throw new CriteriaError({ code: 'AGENT_FAILED', file, message }, { cause: thrown });
  } finally {
    limit.end();
  }
}

function isNetworkError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

function networkMessage(error: Error & { readonly code: string }, url: URL, answered: boolean, advice: Advice): string {
  const { code } = error;
  if (code === 'ECONNREFUSED') {
    return `nothing listens at ${url.origin}: ${advice.start}, or correct the URL`;
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the host "${url.hostname}" is not found: correct the URL`;
  if (answered || code === 'ECONNRESET') return `${error.message}: check its log`;
  return `the server cannot be reached: ${error.message || code}`;
}
