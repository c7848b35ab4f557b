/** The process of an agent. It is started by `startAgentProcess`, with a pipe for requests and one for answers. */
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { rootOf } from '../files/code-root.ts';
import { lineReader } from './lines.ts';
import { loadForProcess } from './load-for-process.ts';
import { recordLoadedFiles } from './loaded-files.ts';
import { ANSWERS, LONGEST_MESSAGE, REQUESTS, type ToAgent } from './messages.ts';
import { serveAgent } from './serve-agent.ts';

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes all bytes before it returns. An agent that reports faster than it is read waits here, instead of filling the memory of
 * either process.
 */
function write(line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(ANSWERS, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // The other process has ended.
      if (code === 'EPIPE') process.exit(1);
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(sleeper, 0, 0, 1);
    }
  }
}

// Ctrl-C in a terminal reaches this process, too. The other one decides whether turns under way come to an end.
process.on('SIGINT', () => {});

const files = recordLoadedFiles(await rootOf(process.argv[2] ?? '.'));
const take = serveAgent({ load: loadForProcess, files, write });
const read = lineReader((message) => take(message as ToAgent), LONGEST_MESSAGE);
const requests = new Socket({ fd: REQUESTS, readable: true, writable: false });
requests.on('data', (bytes: Uint8Array) => read(bytes));
// The other process has ended, or needs this one no longer.
requests.on('close', () => process.exit(0));
