import { createServer } from 'node:net';

/** Returns a port that is free, by default any. Rejects if this one is not. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  await new Promise((done, fail) => server.once('listening', done).once('error', fail));
  const { port } = server.address() as { readonly port: number };
  await new Promise((done) => server.close(done));
  return port;
}
