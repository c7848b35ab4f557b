import { resolve } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import type { ExecutedRun, PreparedRun, Settings } from '@agent-criteria/project';
import {
  type AgentLease,
  createAgentHosts,
  type FileHashes,
  hashOfFile,
  watchFiles,
} from '@agent-criteria/project/agent-process';
import { asks, estimateCalls } from '@agent-criteria/project/plan';
import { safe } from '@agent-criteria/report/terminal';
import { formatCost } from '@agent-criteria/results/text';
import { isUrl, openRun, shownPath } from '@agent-criteria/runner';
import { spanText } from '../dry-run.ts';
import { type ExecuteOptions, executeAndReport } from '../execute-and-report.ts';
import type { Io } from '../io.ts';
import { reportError } from '../print.ts';
import { afterChange, changedCases, failedCases, newSession, remember, type Todo } from './session.ts';

/** The runs to repeat on every change. */
export interface Watched {
  /** Prepares a run of these cases. @param settings Overrides those of the command. */
  readonly prepare: (todo: Todo, settings: Settings, io: Io) => Promise<PreparedRun>;
  readonly options: ExecuteOptions;
  /** The limits for the whole session. */
  readonly limits: Pick<Settings, 'maxCalls' | 'maxTokens' | 'maxCost'>;
  /** The paths in the command, which are watched until the first run is prepared. */
  readonly paths: readonly string[];
}

/**
 * Runs all cases, then again what a changed agent, eval set or config affects, or what a key asks for, until `q` or
 * Ctrl-C. Returns the exit code of the last run.
 */
export async function watchEval({ prepare, options, limits, paths }: Watched, given: Io): Promise<number> {
  const variables = { ...given.environment };
  const io: Io = { ...given, environment: variables };
  const drain = io.drain();
  const session = newSession();
  const spent = { calls: 0, tokens: 0, cost: 0 };
  const watcher = await watchFiles();
  let hosts: ReturnType<typeof createAgentHosts> | undefined;
  let agents: (() => FileHashes)[] = [];
  let files = new Map<string, string | null>(paths.map((path) => [resolve(path), hashOfFile(path)]));
  /** The variables that `.env` files set in this process, where they would hide the new values of these files. */
  let fromFiles: readonly string[] = [];
  let code = 0;

  async function run(todo: Todo): Promise<void> {
    for (const name of fromFiles) delete process.env[name];
    let prepared = await prepare(todo, budgetLeft(limits, spent), io);
    fromFiles = prepared.project.environment.files.flatMap(({ names }) => names);
    files = new Map(filesOf(prepared).map((file) => [file, hashOfFile(file)]));
    if (todo.kind === 'some' && todo.cases === undefined) {
      const cases = changedCases(session, prepared);
      if (cases.length === 0) return io.err('No case has changed.\n');
      prepared = await prepare({ ...todo, cases }, budgetLeft(limits, spent), io);
    }
    remember(session, prepared);
    hosts ??= createAgentHosts({ project: prepared.project, environment: variables });
    const leases: AgentLease[] = [];
    io.err(await costText(prepared));
    let executed: ExecutedRun | undefined;
    try {
      code = await executeAndReport(
        marked(prepared),
        {
          ...options,
          // A few cases cannot decide what a gate asks of a whole run.
          gates: todo.kind === 'all' ? options.gates : undefined,
          async loadAgent(found) {
            if (isUrl(found.file)) return found.load();
            const host = (hosts as NonNullable<typeof hosts>).of(found, prepared.sets);
            agents = [...agents.filter((known) => known !== host.files), host.files];
            const lease = await host.lease();
            leases.push(lease);
            return lease.agent;
          },
          loadedFiles: () => new Map(leases.flatMap(({ files: loaded }) => [...loaded()])),
          onExecuted: (one) => {
            executed = one;
          },
        },
        io,
      );
    } finally {
      for (const lease of leases) lease.release();
      spent.calls += executed?.spent?.calls ?? 0;
      spent.tokens += (executed?.spent?.inputTokens ?? 0) + (executed?.spent?.outputTokens ?? 0);
      spent.cost += executed?.spent?.cost ?? 0;
    }
    if (executed === undefined) return;
    if (todo.kind !== 'some') session.wholeRun = executed.outcome.finished ? resolve(executed.folder) : null;
    const opened = openRun(executed.folder);
    const fileOf = new Map(opened.sets.map(({ id, file }) => [id, file]));
    for await (const { setId, evalCase, result } of opened.cases()) {
      const file = fileOf.get(setId);
      if (!file) continue;
      const verdicts = session.verdicts.get(resolve(file)) ?? new Map();
      verdicts.set(evalCase.evalId, result.verdict);
      session.verdicts.set(resolve(file), verdicts);
    }
  }

  const stopped = () => io.signal.aborted || drain.aborted;
  let todo: Todo | null = { kind: 'all' };
  try {
    while (todo !== null) {
      try {
        await run(todo);
      } catch (error) {
        if (!CriteriaError.is(error)) throw error;
        reportError(error, io);
        code = 2;
      }
      if (stopped()) return code;
      const all = new Map([...files, ...agents.flatMap((read) => [...read()])]);
      io.err(`Watching ${counted(all.size, 'file')}. r runs again, f what failed, a all, q quits.\n`);
      const before: Todo = todo;
      todo = await next(all, before);
    }
    return code;
  } finally {
    await watcher.close();
    await hosts?.close();
  }

  /** Waits for a change or a key. Returns `null` to quit. */
  async function next(all: FileHashes, before: Todo): Promise<Todo | null> {
    const over = new AbortController();
    const quit = new Promise<null>((settle) => {
      for (const signal of [io.signal, drain]) {
        if (signal.aborted) settle(null);
        signal.addEventListener('abort', () => settle(null), { once: true, signal: over.signal });
      }
    });
    const changed = watcher.changed(all, over.signal).then((changes): Todo => {
      io.err(`\nChanged: ${changes.map((file) => safe(shownPath(file))).join(', ')}\n`);
      if (changes.some((file) => agents.some((read) => read().has(file)))) session.wholeRun = null;
      return afterChange(session, changes);
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
          const failed = failedCases(session);
          if (failed !== null) return failed;
          io.err('No case has failed.\n');
        }
      }
    }
  }
}

/** Marks a run as one of watching, which is not taken for a run of its own. */
function marked(prepared: PreparedRun): PreparedRun {
  const of = prepared.sets.reduce((sum, { plan }) => sum + plan.evalSet.evalCases.length, 0);
  const { selection = { of, by: [] } } = prepared;
  return { ...prepared, selection: { ...selection, by: [...selection.by, '--watch'] } };
}

/** The files of a run besides those of its agents. */
function filesOf({ sets, project }: PreparedRun): readonly string[] {
  const files = sets.flatMap(({ file, configFile }) => [file, configFile]);
  return [...new Set([...files, project.config.file].flatMap((file) => (file ? [resolve(file)] : [])))];
}

/** Returns the limits for the next run of a session. */
function budgetLeft(
  limits: Watched['limits'],
  spent: { readonly calls: number; readonly tokens: number; readonly cost: number },
): Settings {
  const left = (limit: number | undefined, used: number) => (limit === undefined ? {} : { left: limit - used });
  const [calls, tokens, cost] = [
    left(limits.maxCalls, spent.calls),
    left(limits.maxTokens, spent.tokens),
    left(limits.maxCost, spent.cost),
  ];
  for (const { left: rest } of [calls, tokens, cost]) {
    if (rest === undefined || rest > 0) continue;
    const message = 'the budget of this session is spent: quit with q, and begin again with a higher limit';
    throw new CriteriaError({ code: 'BUDGET_SPENT', message });
  }
  return {
    ...(calls.left === undefined ? {} : { maxCalls: calls.left }),
    ...(tokens.left === undefined ? {} : { maxTokens: tokens.left }),
    ...(cost.left === undefined ? {} : { maxCost: cost.left }),
  };
}

/** Formats what a run may cost, on one line. */
async function costText(prepared: PreparedRun): Promise<string> {
  const { rows, total } = await estimateCalls(prepared);
  if (!rows.some(asks)) return 'Judging makes no calls to models.\n';
  const cost = total.cost === null ? 'at unknown cost' : `for ${spanText(total.cost, formatCost)}`;
  return `Judging makes ${spanText(total.calls)} calls to models ${cost}; cached answers cost nothing.\n`;
}
