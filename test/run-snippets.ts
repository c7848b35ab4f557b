// Runs files one after the other in this process: `node run-snippets.ts FILE...`. Prints a line of JSON for each: what it
// printed, and what it failed with.
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';

/** What became of a file. */
export interface RanSnippet {
  readonly file: string;
  readonly printed: string;
  /** The stack of what it threw, or what it did to the process; empty if it just ended. */
  readonly failure: string;
}

const write = process.stdout.write.bind(process.stdout);
let printed = '';
let failure = '';
process.stdout.write = (chunk: string | Uint8Array) => {
  printed += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
  return true;
};
const fail = (error: unknown) => {
  failure ||= error instanceof Error ? format(error) : `it threw ${format(error)}`;
};
process.on('uncaughtException', fail);

/** What the next file would meet. */
const state = () => JSON.stringify([process.exitCode, process.cwd(), process.env]);

const before = state();
for (const file of process.argv.slice(2)) {
  [printed, failure] = ['', ''];
  await import(pathToFileURL(file).href).catch(fail);
  // For what it left to the next turns of the event loop.
  await new Promise((done) => setImmediate(done));
  if (failure === '' && state() !== before) failure = 'it changed the exit code, the working folder or the environment';
  write(`${JSON.stringify({ file, printed, failure } satisfies RanSnippet)}\n`);
}
// From here on, a failure is that of any of them.
process.off('uncaughtException', fail);
