import { resolve } from 'node:path';
import type { Agent } from '@agent-criteria/core';
import type { Verdict } from '@agent-criteria/core/host';
import { isUrl, openRun } from '@agent-criteria/runner';
import type { AgentLease } from '../agent-process/agent-host.ts';
import type { AgentHosts } from '../agent-process/agent-hosts.ts';
import { watchFiles } from '../agent-process/watch-files.ts';
import { type FileHashes, hashOfFile } from '../files/file-hashes.ts';
import type { ExecutedRun } from '../runs/execute-run.ts';
import type { FoundAgent, PreparedRun } from '../runs/prepared-run.ts';
import { limitsLeft, NOTHING_SPENT, type SessionLimits, type SessionSpent, withSpent } from './session-budget.ts';
import { afterChange, changedCases, failedCases, newSession, remember, type Todo } from './watch-session.ts';

export interface WatchRunsOptions {
  /** Prepares a run of these cases, within these limits. */
  readonly prepare: (todo: Todo, limits: SessionLimits) => Promise<PreparedRun>;
  /**
   * Executes a prepared run. Returns `undefined` if it could not start.
   * @param code Loads agents with the code that is on disk, and lists the files that they loaded.
   */
  readonly execute: (
    prepared: PreparedRun,
    todo: Todo,
    code: {
      loadAgent(found: FoundAgent): Promise<Agent>;
      loadedFiles(): FileHashes;
    },
  ) => Promise<ExecutedRun | undefined>;
  /** Returns the processes of the agents. */
  readonly hosts: (prepared: PreparedRun) => AgentHosts;
  /** The limits of the whole session. */
  readonly limits: SessionLimits;
  /** The files that are watched until the first run is prepared. */
  readonly paths: readonly string[];
}

/** The runs of one session of watching. */
export interface WatchedRuns {
  /**
   * Runs these cases.
   * @returns `false` if none of them has changed, so that nothing was run.
   * @throws CriteriaError if the run cannot be prepared, or the budget is spent.
   */
  run(todo: Todo): Promise<boolean>;
  /** Resolves as soon as watched files have changed, with what to run then. */
  changed(signal: AbortSignal): Promise<{ readonly files: readonly string[]; readonly todo: Todo }>;
  /** Returns the cases whose last verdict is neither passed nor informational, or `null` if there are none. */
  failed(): Todo | null;
  /** The last verdict of each case of an eval set, by id. */
  verdicts(evalSet: string): ReadonlyMap<string, Verdict>;
  /** The number of watched files. */
  watched(): number;
  spent(): SessionSpent;
  close(): Promise<void>;
}

/** Begins a session of runs that are repeated when their agents, eval sets or configs change. */
export async function watchRuns({ prepare, execute, hosts, limits, paths }: WatchRunsOptions): Promise<WatchedRuns> {
  const session = newSession();
  const watcher = await watchFiles();
  let spent = NOTHING_SPENT;
  let agents: (() => FileHashes)[] = [];
  let files = new Map<string, string | null>(paths.map((path) => [resolve(path), hashOfFile(path)]));

  const prepareOf = async (todo: Todo): Promise<PreparedRun> => {
    const prepared = await prepare(todo, limitsLeft(limits, spent));
    // Hashed before the run: what changes in the meantime is a change.
    files = new Map(filesOf(prepared).map((file) => [file, hashOfFile(file)]));
    return prepared;
  };
  const all = (): FileHashes => new Map([...files, ...agents.flatMap((read) => [...read()])]);

  return {
    async run(todo) {
      let prepared = await prepareOf(todo);
      if (todo.kind === 'some' && todo.cases === undefined) {
        const cases = changedCases(session, prepared);
        if (cases.length === 0) return false;
        prepared = await prepareOf({ ...todo, cases });
      }
      remember(session, prepared);
      const leases: AgentLease[] = [];
      const loadAgent = async (found: FoundAgent): Promise<Agent> => {
        if (isUrl(found.file)) return found.load();
        const host = hosts(prepared).of(found, prepared.sets);
        agents = [...agents.filter((known) => known !== host.files), host.files];
        const lease = await host.lease();
        leases.push(lease);
        return lease.agent;
      };
      let executed: ExecutedRun | undefined;
      try {
        executed = await execute(marked(prepared), todo, {
          loadAgent,
          loadedFiles: () => new Map(leases.flatMap(({ files: loaded }) => [...loaded()])),
        });
      } finally {
        for (const { release } of leases) release();
      }
      if (executed === undefined) return true;
      spent = withSpent(spent, executed.spent);
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
      return true;
    },
    async changed(signal) {
      const changes = await watcher.changed(all(), signal);
      if (changes.some((file) => agents.some((read) => read().has(file)))) session.wholeRun = null;
      return { files: changes, todo: afterChange(session, changes) };
    },
    failed: () => failedCases(session),
    verdicts: (evalSet) => session.verdicts.get(resolve(evalSet)) ?? new Map(),
    watched: () => all().size,
    spent: () => spent,
    close: () => watcher.close(),
  };
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
