import process from 'node:process';
import pc from 'picocolors';
import type { Io, LiveLine } from './io.ts';
import { run } from './run.ts';

/** The command as a process: its arguments, streams, signals and exit code. Never returns: it ends the process. */
export async function main(): Promise<void> {
  // A reader that goes away (`| head`) is no error of ours; a result that could not be written is.
  let lost: string | null = null;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') lost = error.message;
    });
  }

  const stop = new AbortController();
  const drain = new AbortController();
  let drains = false;
  process.on('SIGINT', () => {
    if (stop.signal.aborted) leave(130);
    if (drains && !drain.signal.aborted) {
      process.stderr.write('\nStopping: what is under way may finish, nothing new starts. Ctrl-C again ends it now.\n');
      drain.abort(new Error('interrupted'));
      return;
    }
    process.stderr.write('\nStopping: open conversations end now. Press Ctrl-C again to leave at once.\n');
    stop.abort(new Error('interrupted'));
  });

  const args = process.argv.slice(2);
  const write = process.stdout.write.bind(process.stdout);
  if (args.includes('--json')) {
    // Only the result goes to standard output: what an agent prints must not break the JSON.
    process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  }

  // What an agent leaves running can fail after its turn. That must not end the run, nor let it look as if all was well.
  let strayErrors = 0;
  let told: Promise<void> = Promise.resolve();
  process.on('uncaughtException', (error: unknown) => {
    strayErrors += 1;
    told = told.then(async () => {
      const { userStack } = await import('@agent-criteria/runner/load');
      const { safeLines } = await import('@agent-criteria/report/terminal');
      const text = error instanceof Error ? userStack(error) : String(error);
      process.stderr.write(`\nAn error outside of any turn, which nobody caught:\n${safeLines(text, 2)}\n`);
    });
  });

  // An agent that calls process.exit, or waits for ever while it is imported, must not pass for a run in which all was well.
  let finished = false;
  process.on('exit', () => {
    if (finished) return;
    process.stderr.write(
      '\nThe process ended before the command did. Most likely the agent called process.exit, or waits for what never comes.\n' +
        'What had ended of a run is kept: agent-criteria runs lists it, agent-criteria resume goes on with it.\n',
    );
    process.exitCode = 3;
  });

  const io: Io = {
    out: (text) => void write(text),
    err: (text) => void process.stderr.write(text),
    color: pc.isColorSupported && process.stdout.isTTY === true,
    live: process.stderr.isTTY === true && !inCi(process.env) && !args.includes('--json') ? liveLine() : null,
    environment: process.env,
    signal: stop.signal,
    drain() {
      drains = true;
      return drain.signal;
    },
  };
  const code = await run(args, io);
  // Node tells of rejections that nobody handled only after the work at hand.
  await new Promise((done) => setImmediate(done));
  await told;
  if (code === 0 && strayErrors > 0) {
    process.stderr.write('Exit code 3: not all was well, see the errors outside of any turn above.\n');
  }
  // An agent may hold sockets or timers open: the command ends all the same, once everything is written.
  write('', () =>
    process.stderr.write('', () =>
      setImmediate(() => {
        if (lost !== null) process.stderr.write(`Exit code 3: the result could not be written: ${lost}\n`);
        leave(code === 0 && (strayErrors > 0 || lost !== null) ? 3 : code);
      }),
    ),
  );

  function leave(exitCode: number): never {
    finished = true;
    process.exit(exitCode);
  }
}

/** A line that makes way for whatever else is written, by an agent for example, and comes back when it is drawn again. */
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
    // Some terminals do not know.
    columns: () => process.stderr.columns || 80,
    draw(text) {
      if (text === drawn) return;
      draw(`${ERASE}${text}`);
      drawn = text;
    },
  };
}

/** Terminals of CI services show every line that was ever drawn. */
function inCi(environment: NodeJS.ProcessEnv): boolean {
  const { CI, TERM } = environment;
  return (CI !== undefined && CI !== '' && CI !== 'false' && CI !== '0') || TERM === 'dumb';
}
