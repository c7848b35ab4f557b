import { type ClientRequest, type IncomingMessage, request as inPlain } from 'node:http';
import { request as overTls } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { onAbort } from '../abort.ts';

/** Connection timeout in milliseconds. Running servers accept at once; a missing host may never answer. */
const LONGEST_CONNECTING = 10_000;
/** Idle time in milliseconds after which a server may have closed a connection. */
const QUIET = 500;

/** The time of the last response on each connection. */
const lastUsed = new WeakMap<Socket, number>();

export interface Sending {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer | null;
  readonly signal: AbortSignal;
}

/** A response whose headers have arrived, together with its request. */
export interface Begun {
  readonly outgoing: ClientRequest;
  readonly incoming: IncomingMessage;
}

/**
 * Sends a request and waits for the response headers. The request is destroyed when the signal aborts, even after the
 * headers have arrived.
 */
export function begin(sending: Sending): Promise<Begun> {
  const { url, method, headers, payload, signal } = sending;
  return new Promise<Begun>((resolve, reject) => {
    // The global agent keeps connections alive, lets the process exit, and honours the proxy set with
    // NODE_USE_ENV_PROXY.
    const outgoing = (url.protocol === 'https:' ? overTls : inPlain)(url, { method, headers });
    // Otherwise Node.js would use the connection again if a server answers `connection: keep-alive` nevertheless, as those
    // of the A2A SDK do, and such servers refuse that.
    if (headers.connection === 'close') outgoing.shouldKeepAlive = false;
    let isSent = false;
    const send = (): void => {
      if (outgoing.destroyed) return;
      isSent = true;
      outgoing.end(payload ?? undefined);
    };
    const forget = onAbort(signal, () => {
      reject(signal.reason);
      outgoing.destroy();
    });
    outgoing.on('close', forget);
    outgoing.on('socket', (socket) => {
      limitConnecting(outgoing, socket);
      const isQuiet = performance.now() - (lastUsed.get(socket) ?? Number.POSITIVE_INFINITY) > QUIET;
      // If the server has closed the connection, Node.js notices within one turn of the event loop.
      if (isQuiet) setImmediate(() => setImmediate(send));
      else send();
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // The idle connection was closed before anything was sent.
      const isStale = outgoing.reusedSocket && !isSent && /^(?:ECONNRESET|EPIPE)$/.test(error.code ?? '');
      if (isStale && !signal.aborted) resolve(begin(sending));
      else reject(error);
    });
    outgoing.on('response', (incoming) => {
      const { socket } = incoming;
      incoming.on('end', () => lastUsed.set(socket, performance.now()));
      // The body's reader gets the error too. Without this handler, an unread body's error would crash the process.
      incoming.on('error', () => undefined);
      resolve({ outgoing, incoming });
    });
  });
}

function limitConnecting(outgoing: ClientRequest, socket: Socket): void {
  if (!socket.connecting) return;
  const timer = setTimeout(tooLate, LONGEST_CONNECTING, outgoing);
  const done = (): void => clearTimeout(timer);
  socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', done);
  outgoing.once('close', done);
}

function tooLate(outgoing: ClientRequest): void {
  const message = `no connection within ${LONGEST_CONNECTING / 1000} s`;
  outgoing.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT' }));
}
