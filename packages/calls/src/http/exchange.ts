import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { begin } from './begin.ts';
import { decode, decodeStart } from './decode.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. Default: nothing. */
  readonly body?: unknown;
  /** Ends everything: the connection, the answer and its body. */
  readonly signal: AbortSignal;
  /** More bytes than these no honest answer has; that holds for what is unpacked as well. */
  readonly maxBytes: number;
  /** What is thrown for a longer answer. Default: an error that says how many MB. */
  readonly tooLong?: (() => Error) | undefined;
}

/** What a server answered. Its body can be read in one way, once. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body as it comes, packed where the server packed it. */
  readonly chunks: AsyncIterable<Uint8Array>;
  text(): Promise<string>;
  /** The first megabyte of the text, however much there is: of what went wrong, the beginning is enough. */
  start(): Promise<string>;
}

/** In bytes, what `start` reads. */
const START = 1024 * 1024;

/**
 * Sends a request and reads its answer, by `node:http`: it takes half the time of `fetch`, opens fewer connections, and waits for an
 * answer as long as the signal does. Connections are kept, unless a header says `connection: close`. A request that was sent
 * is never sent again: it may be paid for.
 *
 * Redirections are not followed: credentials go nowhere but where they were sent. However this ends, nothing is left of an answer that was
 * not read to its end.
 *
 * @throws The signal's reason; what `node:http` throws; what `read` throws.
 */
export async function exchange<T>(
  url: URL,
  request: HttpRequest,
  read: (answer: HttpAnswer) => Promise<T>,
): Promise<T> {
  const { method, headers, body, signal } = request;
  signal.throwIfAborted();
  const payload = body === undefined ? null : Buffer.from(JSON.stringify(body), 'utf8');
  const sent = {
    ...(payload === null ? {} : { 'content-type': 'application/json' }),
    ...headers,
    ...(payload === null ? {} : { 'content-length': String(payload.length) }),
  };
  let answered = false;
  try {
    const { outgoing, incoming } = await begin({ url, method, headers: sent, payload, signal });
    answered = true;
    try {
      return await read(answerOf(incoming, request));
    } finally {
      // Of a kept connection whose answer was read to its end, nothing is closed by this.
      outgoing.destroy();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw isCut(error) ? cut(error, answered) : error;
  }
}

function answerOf(
  incoming: IncomingMessage,
  { maxBytes, tooLong = () => longerThan(maxBytes) }: HttpRequest,
): HttpAnswer {
  const { statusCode: status = 0, headers } = incoming;
  const encoding = headers['content-encoding'];
  return {
    status,
    headers,
    chunks: atMost(incoming, maxBytes, tooLong),
    async text() {
      const { bytes, isWhole } = await collected(incoming, maxBytes);
      if (!isWhole) throw tooLong();
      return decode(bytes, encoding, maxBytes);
    },
    async start() {
      const { bytes } = await collected(incoming, START);
      return decodeStart(bytes.subarray(0, START), encoding, START);
    },
  };
}

function longerThan(maxBytes: number): Error {
  return new Error(`the answer is larger than ${maxBytes / 1024 / 1024} MB`);
}

async function* atMost(incoming: IncomingMessage, most: number, tooLong: () => Error): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > most) throw tooLong();
    yield chunk;
  }
}

/** The body, or as much of it as comes until it is too long. By events, as iterating takes longer. */
function collected(
  incoming: IncomingMessage,
  most: number,
): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  return new Promise((resolve, reject) => {
    const read: Buffer[] = [];
    let size = 0;
    const done = (isWhole: boolean): void => resolve({ bytes: Buffer.concat(read), isWhole });
    incoming.on('data', (chunk: Buffer) => {
      if (size > most) return;
      read.push(chunk);
      size += chunk.length;
      if (size > most) done(false);
    });
    incoming.on('end', () => done(true));
    incoming.on('error', reject);
    const closed = (): void => reject(cut({ code: 'ECONNRESET' }, true));
    // Of one that is closed already nothing comes any more.
    if (incoming.destroyed && !incoming.readableEnded) closed();
    else incoming.on('close', closed);
  });
}

function isCut(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** In words of its own: Node.js says "socket hang up" or "aborted". */
function cut({ code }: { readonly code: string }, answered: boolean): Error {
  const when = answered ? 'in the middle of its answer' : 'without an answer';
  return Object.assign(new Error(`the server closed the connection ${when}`), { code });
}
