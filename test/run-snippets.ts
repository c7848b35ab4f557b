// Runs files one after another in this process: `node run-snippets.ts FILE...`. Prints a line of JSON for each: its
// output, and its failure.
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';

/** The result of running a file. */
export interface RanSnippet {
  readonly file: string;
  readonly printed: string;
  /** The stack of the error that it threw, or its effect on the process; empty if it simply ended. */
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

/** Returns the process state that the next file would find. */
const state = () => JSON.stringify([process.exitCode, process.cwd(), process.env]);

const before = state();
for (const file of process.argv.slice(2)) {
  [printed, failure] = ['', ''];
  await import(pathToFileURL(file).href).catch(fail);
  // Waits for work that the file left to later turns of the event loop.
  await new Promise((done) => setImmediate(done));
  if (failure === '' && state() !== before) failure = 'it changed the exit code, the working folder or the environment';
  write(`${JSON.stringify({ file, printed, failure } satisfies RanSnippet)}\n`);
}
// From here on, a failure may come from any of the files.
process.off('uncaughtException', fail);
