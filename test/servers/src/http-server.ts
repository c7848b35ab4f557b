import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './faults.ts';

/** A request as received. */
export interface SeenRequest {
  readonly method: string;
  /** The path with the query, such as `/v1beta/models/gemini-2.5-flash:generateContent`. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body, parsed if it is JSON, otherwise as text. */
  readonly body: unknown;
  /** The index of its connection, from 0. */
  readonly connection: number;
  /** Whether the connection ended before the whole answer was sent, because the client hung up or a fault cut it. */
  readonly aborted: boolean;
}

/** The options of every fake server. */
export interface ServerOptions {
  /** Faults for the first requests, in order; `null` lets a request through. Later requests succeed. */
  readonly faults?: readonly (Fault | null)[];
  /** The latency of every answer in milliseconds. Default 0. */
  readonly latency?: number;
}

/** A server on 127.0.0.1, on its own port. */
export interface FakeServer {
  /** Such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** All requests in order of arrival, including those that hit a fault. */
  readonly requests: readonly SeenRequest[];
  /** The number of connections opened. */
  readonly connections: number;
  /** The maximum number of concurrent requests. */
  readonly mostAtOnce: number;
  /** Adds faults to the queue. */
  fail(...faults: readonly (Fault | null)[]): void;
  /** Closes all open connections and stops listening. */
  close(): Promise<void>;
}

/** Starts a server that records each request, waits, and applies the queued faults before it calls `handle`. */
export async function startServer(
  options: ServerOptions,
  handle: (request: SeenRequest) => Fault | Promise<Fault>,
): Promise<FakeServer> {
  const requests: { -readonly [Key in keyof SeenRequest]: SeenRequest[Key] }[] = [];
  const faults = [...(options.faults ?? [])];
  const sockets = new WeakMap<object, number>();
  let connections = 0;
  let underWay = 0;
  let mostAtOnce = 0;

  const server = createServer((incoming, outgoing) => {
    underWay += 1;
    mostAtOnce = Math.max(mostAtOnce, underWay);
    outgoing.on('close', () => {
      underWay -= 1;
    });
    serve(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  server.on('connection', (socket) => {
    sockets.set(socket, connections);
    connections += 1;
  });

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const text = await readText(incoming);
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: parsed(text),
      connection: sockets.get(incoming.socket) ?? -1,
      aborted: false,
    };
    requests.push(request);
    outgoing.on('close', () => {
      request.aborted = !outgoing.writableFinished;
    });
    const fault = faults.shift() ?? null;
    if ((options.latency ?? 0) > 0) await sleep(options.latency);
    if (fault !== null && !('slow' in fault) && !('cut' in fault && fault.cut === 'body')) await send(outgoing, fault);
    else await send(outgoing, await handle(request), fault);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    get connections() {
      return connections;
    },
    get mostAtOnce() {
      return mostAtOnce;
    },
    fail(...more) {
      faults.push(...more);
    },
    close() {
      return new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      });
    },
  };
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Sends a reply. `manner` is a fault that changes how it is sent. */
async function send(outgoing: ServerResponse, reply: Fault, manner: Fault | null = null): Promise<void> {
  if ('hang' in reply) return;
  if ('cut' in reply && reply.cut === 'before') {
    outgoing.socket?.destroy();
    return;
  }
  if (!('status' in reply)) return send(outgoing, { status: 200, body: { nothing: 'but half of this' } }, reply);
  const isJson = typeof reply.body === 'object';
  const bytes = Buffer.from(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body), 'utf8');
  outgoing.writeHead(reply.status, {
    'content-type': isJson ? 'application/json; charset=UTF-8' : 'text/html; charset=UTF-8',
    'content-length': String(bytes.length),
    ...reply.headers,
  });
  if (manner !== null && 'cut' in manner) {
    outgoing.write(bytes.subarray(0, bytes.length >> 1), () => outgoing.socket?.destroy());
    return;
  }
  if (manner !== null && 'slow' in manner) {
    const pieces = 10;
    const length = Math.ceil(bytes.length / pieces);
    for (let piece = 0; piece < pieces && !outgoing.destroyed; piece++) {
      outgoing.write(bytes.subarray(piece * length, (piece + 1) * length));
      await sleep(manner.slow / pieces);
    }
    outgoing.end();
    return;
  }
  outgoing.end(bytes);
}
