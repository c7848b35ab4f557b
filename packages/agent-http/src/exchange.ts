import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { CriteriaError } from '@agent-criteria/core';
import type { Credentials } from './credentials.ts';

/** A server, and what every request to it has in common. */
export interface Connection {
  /** Its root, without a slash at the end. */
  readonly server: string;
  readonly maxAnswerBytes: number;
  /** Asked anew for each request: tokens expire. */
  credentials(): Promise<Credentials>;
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** From the server's root, encoded. */
  readonly path: string;
  readonly body?: unknown;
  /** Milliseconds for all of it; `undefined`: no limit. */
  readonly timeout: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a server said. */
export interface Answer {
  readonly status: number;
  /** The media type, in lower case: `application/json`. */
  readonly type: string;
  /** Where a redirect leads. */
  readonly location: string | null;
  /** The body as it comes. One way to read it, once. */
  readonly chunks: AsyncIterable<Uint8Array>;
  text(): Promise<string>;
  /** A text of the server without the credentials that it may say back. */
  hide(text: string): string;
  /** An error about this answer: its place is the request. */
  error(message: string): CriteriaError;
}

/** Node's timers hold no more milliseconds than this (25 days). */
const LONGEST = 2 ** 31 - 1;

/**
 * Sends a request and reads its answer. However this ends, by an answer, an error, the time or the signal, its socket is
 * closed. Redirects are not followed: credentials go to no other server.
 *
 * Node's own client, because `fetch` waits for no answer longer than five minutes and turns may take longer.
 *
 * @throws CriteriaError AGENT_FAILED or TIMEOUT with the request as its place; the signal's reason; what `read` throws.
 */
export async function exchange<T>(
  connection: Connection,
  { method, path, body, timeout, signal }: Request,
  read: (answer: Answer) => Promise<T>,
): Promise<T> {
  const url = new URL(connection.server + path);
  const file = `${method} ${url.href}`;
  const { headers, hide } = await connection.credentials();
  signal?.throwIfAborted();
  const payload = body === undefined ? null : Buffer.from(JSON.stringify(body), 'utf8');
  const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      ...headers,
      // A connection that was kept may be closed by the server just when it is used again.
      connection: 'close',
      ...(payload === null ? {} : { 'content-type': 'application/json', 'content-length': String(payload.length) }),
    },
  });

  let stopped: { readonly reason: unknown } | undefined;
  const stop = (reason: unknown): void => {
    stopped ??= { reason };
    outgoing.destroy();
  };
  const abort = (): void => stop(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  const tooLate = () => {
    const message = `the server did not answer within ${seconds(timeout ?? 0)}`;
    return new CriteriaError({ code: 'TIMEOUT', file, message });
  };
  const timer = timeout === undefined ? undefined : setTimeout(() => stop(tooLate()), Math.min(timeout, LONGEST));

  let answered = false;
  try {
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve);
      outgoing.on('error', reject);
      outgoing.end(payload ?? undefined);
    });
    answered = true;
    // Whoever reads it is told; nobody reads the body of an answer that is refused.
    incoming.on('error', () => undefined);
    const error = (message: string) => new CriteriaError({ code: 'AGENT_FAILED', file, message });
    const chunks = atMost(incoming, connection.maxAnswerBytes, error);
    return await read({
      status: incoming.statusCode ?? 0,
      type: (incoming.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
      location: incoming.headers.location ?? null,
      chunks,
      text: () => textOf(chunks),
      hide,
      error,
    });
  } catch (error) {
    if (stopped !== undefined) throw stopped.reason;
    if (CriteriaError.is(error) || !isNetworkError(error)) throw error;
    throw new CriteriaError(
      { code: 'AGENT_FAILED', file, message: networkMessage(error, url, answered) },
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    outgoing.destroy();
  }
}

async function* atMost(
  incoming: AsyncIterable<Uint8Array>,
  most: number,
  error: Answer['error'],
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > most) throw error(`the answer has more than ${most} bytes, the limit (maxAnswerBytes)`);
    yield chunk;
  }
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return new TextDecoder().decode(Buffer.concat(all));
}

function seconds(milliseconds: number): string {
  return milliseconds >= 1000 ? `${milliseconds / 1000} s` : `${milliseconds} ms`;
}

function isNetworkError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

function networkMessage(error: Error & { readonly code: string }, url: URL, answered: boolean): string {
  const { code } = error;
  if (code === 'ECONNREFUSED') {
    return `nothing listens at ${url.origin}: start the agent's server, as "adk api_server" does, or correct the URL`;
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the host "${url.hostname}" is not found: correct the URL`;
  if (answered) return `the server cut the connection in the middle of its answer (${code}): its log says why`;
  if (code === 'ECONNRESET') return 'the server cut the connection without an answer: its log says why';
  return `the server cannot be reached: ${error.message || code}`;
}
