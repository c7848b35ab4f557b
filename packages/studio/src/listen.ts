import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CriteriaError } from '@agent-criteria/core';

/** First port to try. ADK's own server uses 8000. */
const FIRST = 8090;
const TRIES = 20;

/**
 * Listens on 127.0.0.1 only.
 *
 * @param port `undefined` for the preferred port or else the next free one from 8090, or 0 for any free port.
 * @param preferred The port of the last start, or `null` if unknown.
 * @throws CriteriaError USAGE if the port is taken.
 */
export async function listen(
  port: number | undefined,
  preferred: number | null,
): Promise<Server & { readonly port: number }> {
  const server = createServer();
  const free = [...(preferred === null ? [] : [preferred]), ...Array.from({ length: TRIES }, (_, at) => FIRST + at), 0];
  for (const one of port === undefined ? free : [port]) {
    try {
      await once(server.listen(one, '127.0.0.1'), 'listening');
      return Object.assign(server, { port: (server.address() as AddressInfo).port });
    } catch (error) {
      const { code, message: reason } = error as NodeJS.ErrnoException;
      // A port below 1024 may have been used with other rights.
      if ((code === 'EADDRINUSE' || code === 'EACCES') && port === undefined) continue;
      const message =
        code === 'EADDRINUSE'
          ? `port ${one} is taken: name another with --port, or leave it out`
          : `cannot listen on 127.0.0.1:${one}: ${reason}`;
      throw new CriteriaError({ code: 'USAGE', message });
    }
  }
  throw new CriteriaError({ code: 'USAGE', message: 'no port is free' });
}
