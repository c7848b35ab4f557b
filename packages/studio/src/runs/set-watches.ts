import { resolve } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { type ExecutedRun, type OpenProjectOptions, prepareRun } from '@agent-criteria/project';
import { type SessionLimits, type Todo, type WatchedRuns, watchRuns } from '@agent-criteria/project/watch';
import type { SetWatch, WatchedVerdict } from '../api.ts';
import { nameIn } from '../apps/app.ts';
import { refusal } from '../http/refusal.ts';
import type { Agents } from '../sessions/agents.ts';
import type { FoundSet } from '../sets/find-sets.ts';
import type { LiveRun, LiveRuns } from './live-runs.ts';

export type SetWatches = ReturnType<typeof createSetWatches>;

/** A set whose cases run again when what they depend on changes. */
interface WatchedSet {
  readonly file: string;
  readonly maxCost: number | null;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  /** `null` until the files are watched. */
  runs: WatchedRuns | null;
  /** The run in flight. */
  live: LiveRun | null;
  /** The id of the last run. */
  last: string | null;
  isRunning: boolean;
  changed: readonly string[];
  problem: string | null;
}

interface SetWatchesOptions {
  readonly agents: Pick<Agents, 'hosts'>;
  readonly runs: Pick<LiveRuns, 'start'>;
  readonly projectOptions: Omit<OpenProjectOptions, 'agent'>;
}

/** Runs the cases of sets again while these are watched, as `eval --watch` does. */
export function createSetWatches({ agents, runs, projectOptions }: SetWatchesOptions) {
  const sets = new Map<string, WatchedSet>();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };

  function begin({ app, file }: FoundSet, maxCost: number | null): WatchedSet {
    const { agent, name } = app;
    const { hosts } = agents;
    if (agent === null) throw refusal(400, `App \`${name}\` has eval sets, but no agent of its own to run.`);
    if (hosts === null)
      throw refusal(409, 'This studio runs agents in its own process, which does not load changed code.');
    const stop = new AbortController();
    const { settings } = projectOptions;
    const limits: SessionLimits = {
      maxCalls: settings?.maxCalls,
      maxTokens: settings?.maxTokens,
      maxCost: maxCost ?? settings?.maxCost,
    };
    const prepare = (todo: Todo, left: SessionLimits) => {
      const options = { ...projectOptions, settings: { ...settings, ...left } };
      if (todo.kind === 'judge') return prepareRun({ ...options, source: { kind: 'rescore', run: todo.run } });
      const cases = todo.kind === 'some' ? todo.cases : undefined;
      return prepareRun({ ...options, agent, evalSets: [file], cases });
    };
    const watch = async (): Promise<void> => {
      one.runs = await watchRuns({
        limits,
        paths: [file],
        hosts: () => hosts,
        prepare,
        async execute(prepared, _todo, loading): Promise<ExecutedRun> {
          const live = await runs.start(prepared, undefined, loading);
          one.live = live;
          one.last = live.id;
          const forget = live.tracker.watch(changed);
          const cancel = () => live.cancel();
          stop.signal.addEventListener('abort', cancel, { once: true });
          if (stop.signal.aborted) cancel();
          changed();
          return live.done.finally(() => {
            stop.signal.removeEventListener('abort', cancel);
            forget();
          });
        },
      });
      try {
        for (let todo: Todo = { kind: 'all' }; !stop.signal.aborted; ) {
          one.isRunning = true;
          one.problem = null;
          changed();
          try {
            await one.runs.run(todo);
          } catch (error) {
            one.problem = CriteriaError.is(error) ? error.message : String(error);
          }
          one.isRunning = false;
          one.live = null;
          changed();
          const next = await one.runs.changed(stop.signal);
          one.changed = next.files.map((path) => nameIn(app.folder, path));
          todo = next.todo;
        }
      } finally {
        await one.runs.close();
      }
    };
    const one: WatchedSet = {
      file,
      maxCost,
      stop,
      ended: Promise.resolve()
        .then(watch)
        .catch((error: unknown) => {
          if (!stop.signal.aborted) one.problem = String(error);
        }),
      runs: null,
      live: null,
      last: null,
      isRunning: true,
      changed: [],
      problem: null,
    };
    return one;
  }

  return {
    /** Begins to watch a set, and runs all of it. @throws A refusal if its agent cannot be watched here. */
    start(found: FoundSet, maxCost: number | null): void {
      const file = resolve(found.file);
      if (sets.has(file)) return;
      sets.set(file, begin(found, maxCost));
      changed();
    },
    /** Ends watching. A run in flight finishes what it has begun. */
    stop({ file }: FoundSet): void {
      const one = sets.get(resolve(file));
      sets.delete(resolve(file));
      one?.stop.abort(new Error('no longer watched'));
      changed();
    },
    /** Returns the state of a set, without its verdicts. */
    state({ file }: FoundSet): Omit<SetWatch, 'verdicts'> {
      const one = sets.get(resolve(file));
      if (one === undefined)
        return { isOn: false, isRunning: false, run: null, changed: [], problem: null, cost: 0, maxCost: null };
      const { isRunning, last: run, changed: files, problem, maxCost, runs: watched } = one;
      return { isOn: true, isRunning, run, changed: files, problem, cost: watched?.spent().cost ?? 0, maxCost };
    },
    /** Returns the last verdicts of a set's cases, also those of a run in flight. */
    verdicts({ file }: FoundSet): readonly WatchedVerdict[] {
      const one = sets.get(resolve(file));
      if (one === undefined) return [];
      const all = new Map<string, WatchedVerdict['verdict']>(one.runs?.verdicts(one.file) ?? []);
      for (const { caseId, row } of one.live?.tracker.changedAfter(0) ?? []) {
        if (row.verdict !== undefined) all.set(caseId, row.verdict);
      }
      return [...all].map(([id, verdict]) => ({ case: id, verdict }));
    },
    /** Subscribes to changes. @returns A function that unsubscribes. */
    watch(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Ends all watching. */
    end(): void {
      for (const { stop } of sets.values()) stop.abort(new Error('the studio ends'));
    },
    /** Ends all watching, and waits for it. */
    async close(): Promise<void> {
      const all = [...sets.values()];
      sets.clear();
      for (const { stop } of all) stop.abort(new Error('the studio ends'));
      for (const { live } of all) live?.stop();
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}
