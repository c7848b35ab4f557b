import { CriteriaError } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import type { ExecutedRun, PreparedRun } from '@agent-criteria/project';
import { createAgentHosts } from '@agent-criteria/project/agent-process';
import { asks, estimateCalls } from '@agent-criteria/project/plan';
import { type SessionLimits, type Todo, watchRuns } from '@agent-criteria/project/watch';
import { safe } from '@agent-criteria/report/terminal';
import { formatCost } from '@agent-criteria/results/text';
import { shownPath } from '@agent-criteria/runner';
import { spanText } from '../dry-run.ts';
import { type ExecuteOptions, executeAndReport } from '../execute-and-report.ts';
import type { Io } from '../io.ts';
import { reportError } from '../print.ts';

/** The runs to repeat on every change. */
export interface Watched {
  /** Prepares a run of these cases. @param limits Overrides those of the command. */
  readonly prepare: (todo: Todo, limits: SessionLimits, io: Io) => Promise<PreparedRun>;
  readonly options: ExecuteOptions;
  /** The limits for the whole session. */
  readonly limits: SessionLimits;
  /** The paths in the command, which are watched until the first run is prepared. */
  readonly paths: readonly string[];
  /** The port for debuggers of the agents' processes. Default: they listen on none. */
  readonly inspect?: number | undefined;
}

/**
 * Runs all cases, then again what a changed agent, eval set or config affects, or what a key asks for, until `q` or
 * Ctrl-C. Returns the exit code of the last run.
 */
export async function watchEval({ prepare, options, limits, paths, inspect }: Watched, given: Io): Promise<number> {
  const variables = { ...given.environment };
  const io: Io = { ...given, environment: variables };
  const drain = io.drain();
  let hosts: ReturnType<typeof createAgentHosts> | undefined;
  /** The variables that `.env` files set in this process, where they would hide the new values of these files. */
  let fromFiles: readonly string[] = [];
  let code = 0;

  const runs = await watchRuns({
    limits,
    paths,
    async prepare(todo, left) {
      for (const name of fromFiles) delete process.env[name];
      const prepared = await prepare(todo, left, io);
      fromFiles = prepared.project.environment.files.flatMap(({ names }) => names);
      return prepared;
    },
    hosts({ project }) {
      hosts ??= createAgentHosts({ project, environment: variables, inspect });
      return hosts;
    },
    async execute(prepared, todo, loading) {
      io.err(await costText(prepared));
      let executed: ExecutedRun | undefined;
      const onExecuted = (one: ExecutedRun): void => {
        executed = one;
      };
      // A few cases cannot decide what a gate asks of a whole run.
      const gates = todo.kind === 'all' ? options.gates : undefined;
      code = await executeAndReport(prepared, { ...options, gates, ...loading, onExecuted }, io);
      return executed;
    },
  });

  const stopped = () => io.signal.aborted || drain.aborted;
  let todo: Todo | null = { kind: 'all' };
  try {
    while (todo !== null) {
      try {
        if (!(await runs.run(todo))) io.err('No case has changed.\n');
      } catch (error) {
        if (!CriteriaError.is(error)) throw error;
        reportError(error, io);
        code = 2;
      }
      if (stopped()) return code;
      io.err(`Watching ${counted(runs.watched(), 'file')}. r runs again, f what failed, a all, q quits.\n`);
      todo = await next(todo);
    }
    return code;
  } finally {
    await runs.close();
    await hosts?.close();
  }

  /** Waits for a change or a key. Returns `null` to quit. */
  async function next(before: Todo): Promise<Todo | null> {
    const over = new AbortController();
    const quit = new Promise<null>((settle) => {
      for (const signal of [io.signal, drain]) {
        if (signal.aborted) settle(null);
        signal.addEventListener('abort', () => settle(null), { once: true, signal: over.signal });
      }
    });
    const changed = runs.changed(over.signal).then(({ files, todo: due }) => {
      io.err(`\nChanged: ${files.map((file) => safe(shownPath(file))).join(', ')}\n`);
      return due;
    });
    changed.catch(() => undefined);
    const keyboard = io.keyboard?.();
    const key = keyboard === undefined ? new Promise<never>(() => undefined) : keyPressed(before);
    try {
      return await Promise.race([quit, changed, key]);
    } finally {
      over.abort(new Error('no longer waiting'));
      keyboard?.close();
    }

    async function keyPressed(last: Todo): Promise<Todo | null> {
      for (;;) {
        const pressed = await keyboard?.key();
        if (pressed === null || pressed === undefined) {
          if (keyboard?.echo === true) return null;
          // Standard input has ended, and files go on to change.
          return new Promise<never>(() => undefined);
        }
        if (pressed === 'q') return null;
        if (pressed === 'a') return { kind: 'all' };
        if (pressed === 'r') return last;
        if (pressed === 'f') {
          const failed = runs.failed();
          if (failed !== null) return failed;
          io.err('No case has failed.\n');
        }
      }
    }
  }
}

/** Formats what a run may cost, on one line. */
async function costText(prepared: PreparedRun): Promise<string> {
  const { rows, total } = await estimateCalls(prepared);
  if (!rows.some(asks)) return 'Judging makes no calls to models.\n';
  const cost = total.cost === null ? 'at unknown cost' : `for ${spanText(total.cost, formatCost)}`;
  return `Judging makes ${spanText(total.calls)} calls to models ${cost}; cached answers cost nothing.\n`;
}
