import { type ClientRequest, type IncomingMessage, request as inPlain } from 'node:http';
import { request as overTls } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { onAbort } from '../abort.ts';

/** Milliseconds until there is a connection: a server that is there takes none of that, and one that is not says nothing. */
const LONGEST_CONNECTING = 10_000;
/** Milliseconds without use after which a server may have closed a connection. */
const QUIET = 500;

/** When an answer came over a kept connection last. */
const lastUsed = new WeakMap<Socket, number>();

export interface Sending {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer | null;
  readonly signal: AbortSignal;
}

/** An answer that has begun, with the request that it belongs to. */
export interface Begun {
  readonly outgoing: ClientRequest;
  readonly incoming: IncomingMessage;
}

/** Sends a request, and waits until its answer begins. When the signal aborts, also later, the request is destroyed. */
export function begin(sending: Sending): Promise<Begun> {
  const { url, method, headers, payload, signal } = sending;
  return new Promise<Begun>((resolve, reject) => {
    // The agent that all share keeps connections, lets the process end, and knows the proxy of NODE_USE_ENV_PROXY.
    const outgoing = (url.protocol === 'https:' ? overTls : inPlain)(url, { method, headers });
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
      // That the server has closed it may be known to the system already, and here after a round of the event loop.
      if (isQuiet) setImmediate(() => setImmediate(send));
      else send();
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // A kept connection was closed before anything was sent.
      const isStale = outgoing.reusedSocket && !isSent && /^(?:ECONNRESET|EPIPE)$/.test(error.code ?? '');
      if (isStale && !signal.aborted) resolve(begin(sending));
      else reject(error);
    });
    outgoing.on('response', (incoming) => {
      const { socket } = incoming;
      incoming.on('end', () => lastUsed.set(socket, performance.now()));
      // The reader of the body gets the error. The body of a refused answer may have no reader, and an error without a listener ends the process.
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
