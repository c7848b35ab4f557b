import { createServer, type Server } from 'node:http';
import { CriteriaError } from '@agent-criteria/core';

/** First port that is tried. ADK's own server uses 8000. */
const FIRST = 8090;
const TRIES = 20;

/**
 * Listens on 127.0.0.1 only.
 *
 * @param port `undefined`: the next free one from 8090; 0: any free one.
 * @throws CriteriaError USAGE for a port that is taken.
 */
export async function listen(port: number | undefined): Promise<Server & { readonly port: number }> {
  const server = createServer();
  const ports = port === undefined ? Array.from({ length: TRIES }, (_, index) => FIRST + index) : [port];
  for (const one of port === undefined ? [...ports, 0] : ports) {
    const error = await attempt(server, one);
    if (error === null) return Object.assign(server, { port: portOf(server) });
    if (error.code === 'EADDRINUSE' && port === undefined) continue;
    const message =
      error.code === 'EADDRINUSE'
        ? `port ${one} is taken: name another with --port, or leave it out`
        : `cannot listen on 127.0.0.1:${one}: ${error.message}`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  throw new CriteriaError({ code: 'USAGE', message: 'no port is free' });
}

function attempt(server: Server, port: number): Promise<NodeJS.ErrnoException | null> {
  return new Promise((settle) => {
    const onError = (error: NodeJS.ErrnoException) => settle(error);
    server.once('error', onError);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', onError);
      settle(null);
    });
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
