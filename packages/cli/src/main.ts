import process from 'node:process';
import { setImmediate } from 'node:timers';
import { columnsOf } from './columns-of.ts';
import { UNCAUGHT } from './exit-code.ts';
import type { Io, LiveLine } from './io.ts';
import { openKeyboard } from './keyboard.ts';
import type { ExitWith } from './pin-exit-code.ts';
import { runCommand } from './run-command.ts';
import { wantsColor } from './wants-color.ts';
import { watchTheLoop } from './watchdog.ts';

/**
 * Runs the command with the arguments, streams and signals of this process. Returns its exit code once everything is
 * written.
 *
 * @param leave Ends the process with the exit code, even if an agent keeps something open. Default: the process
 *   continues.
 */
export async function main(leave?: ExitWith): Promise<number> {
  const streams = [process.stdout, process.stderr];
  const writes = streams.map((stream) => stream.write);
  // A reader that closes its pipe (`| head`) is not an error, but a result that cannot be written is.
  let lost: string | null = null;
  const onLost = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE') lost = error.message;
  };
  for (const stream of streams) stream.on('error', onLost);

  const stop = new AbortController();
  const drain = new AbortController();
  let drains = false;
  const onInterrupt = (): void => {
    if (stop.signal.aborted) (leave ?? process.exit)(130);
    if (drains && !drain.signal.aborted) {
      process.stderr.write(
        '\nStopping: work in progress will finish, nothing new starts. Press Ctrl-C again to stop it now.\n',
      );
      drain.abort(new Error('interrupted'));
      return;
    }
    process.stderr.write('\nStopping: open conversations end now. Press Ctrl-C again to exit immediately.\n');
    stop.abort(new Error('interrupted'));
  };
  process.on('SIGINT', onInterrupt);

  const args = process.argv.slice(2);
  const write = process.stdout.write.bind(process.stdout);
  if (args.includes('--json') || args[0] === 'mcp') {
    // Output from agents must not break the JSON on standard output.
    process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  }

  // Work that an agent leaves running can fail after its turn. That must neither end the run nor go unnoticed.
  let strayErrors = 0;
  let printed: Promise<void> = Promise.resolve();
  const onStray = (error: unknown): void => {
    strayErrors += 1;
    // An error that cannot be printed must not cause another one.
    printed = printed
      .then(() => printStrayError(error))
      .catch(() => void process.stderr.write('\nAn uncaught error outside of any turn: it cannot be shown.\n'));
  };
  process.on('uncaughtException', onStray);

  const live = process.stderr.isTTY === true && !inCi(process.env) && !args.includes('--json') ? liveLine() : null;
  // Bound before any agent is loaded, because an agent may replace it.
  const writeError = process.stderr.write.bind(process.stderr);
  const listeners: ((why: string) => void)[] = [];
  const io: Io = {
    out: (text) => void write(text),
    raw: (text) => void write(text),
    err: (text) => void writeError(text),
    width: { out: columnsOf(process.stdout, process.env), err: columnsOf(process.stderr, process.env) },
    color: wantsColor(process.env, process.stdout.isTTY === true),
    live,
    environment: process.env,
    signal: stop.signal,
    drain() {
      drains = true;
      return drain.signal;
    },
    keyboard: () => openKeyboard(process.stdin),
    watchTheLoop,
    uncaught: () => strayErrors,
    whenExitChanges: (listener) => void listeners.push(listener),
  };
  const code = await runCommand(args, io);
  // Node reports unhandled rejections only after the current work.
  await new Promise((done) => setImmediate(done));
  await printed;
  if (code === 0 && strayErrors > 0) {
    writeError('Exit code 3: there were errors outside of any turn, see above.\n');
  }
  await new Promise<void>((done) => void write('', () => writeError('', () => setImmediate(done))));
  if (lost !== null) writeError(`Exit code 3: the result could not be written: ${lost}\n`);
  const whys = [
    ...(strayErrors > 0 ? [UNCAUGHT] : []),
    ...(lost === null ? [] : [`the result could not be written: ${lost}`]),
  ];
  for (const why of whys) for (const listener of listeners) listener(why);
  const exitCode = code === 0 && (strayErrors > 0 || lost !== null) ? 3 : code;
  leave?.(exitCode);

  for (const [index, stream] of streams.entries()) {
    stream.off('error', onLost);
    stream.write = writes[index] ?? stream.write;
  }
  process.off('SIGINT', onInterrupt);
  process.off('uncaughtException', onStray);
  return exitCode;
}

async function printStrayError(error: unknown): Promise<void> {
  const { userStack } = await import('@agent-criteria/project/files');
  const { safeLines } = await import('@agent-criteria/report/terminal');
  const { maskOf } = await import('./masked.ts');
  const text = error instanceof Error ? userStack(error) : String(error);
  // Uses the current environment, because an agent may have fetched its keys since.
  const safe = maskOf({ environment: process.env }).text(text);
  process.stderr.write(`\nAn uncaught error outside of any turn:\n${safeLines(safe, 2)}\n`);
}

/** Draws a line that is erased before any other output, such as an agent's, until it is drawn again. */
function liveLine(): LiveLine {
  const ERASE = '\r\u001b[2K';
  const draw = process.stderr.write.bind(process.stderr);
  let drawn = '';
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    stream.write = ((...given: Parameters<typeof write>) => {
      if (drawn !== '') draw(ERASE);
      drawn = '';
      return write(...given);
    }) as typeof stream.write;
  }
  return {
    // Some terminals report no width.
    columns: () => process.stderr.columns || 80,
    draw(text) {
      if (text === drawn) return;
      draw(`${ERASE}${text}`);
      drawn = text;
    },
  };
}

/** Whether this is a CI service, whose log would show every line ever drawn. */
function inCi(environment: NodeJS.ProcessEnv): boolean {
  const { CI, TERM } = environment;
  return (CI !== undefined && CI !== '' && CI !== 'false' && CI !== '0') || TERM === 'dumb';
}
