import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ApiServer {
  readonly url: string;
  /** Returns everything that it has logged so far. */
  readonly log: () => string;
  close(): Promise<void>;
}

/** Starts the `adk api_server` of `@google/adk-devtools` with the agents in this folder. */
export async function startApiServer(): Promise<ApiServer> {
  const port = await freePort();
  const bin = join(import.meta.dirname, 'node_modules/@google/adk-devtools/dist/esm/cli_entrypoint.js');
  const arguments_ = [bin, 'api_server', join(import.meta.dirname, 'agents'), '-h', '127.0.0.1', '-p', String(port)];
  const child = spawn(process.execPath, arguments_, { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (text) => (log += text));
  const url = `http://127.0.0.1:${port}`;
  const until = Date.now() + 150_000;
  // The server responds once it has compiled the agents.
  while (!(await isUp(`${url}/list-apps`))) {
    if (child.exitCode !== null || Date.now() > until) {
      await stop(child);
      throw new Error(`adk api_server did not start:\n${log}`);
    }
    await sleep(200);
  }
  return { url, log: () => log, close: () => stop(child) };
}

async function isUp(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
