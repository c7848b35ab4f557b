import { basename } from 'node:path';
import { type ExecutedRun, executeRun, type PreparedRun } from '@agent-criteria/project';
import type { AgentLease } from '@agent-criteria/project/agent-process';
import { gatesOfConfigs } from '@agent-criteria/project/runs';
import type { RunEvent } from '@agent-criteria/runner';
import type { Agents } from '../sessions/agents.ts';
import { createRunTracker, type RunTracker } from './run-tracker.ts';

/** A run started by this studio, in flight or finished. */
export interface LiveRun {
  readonly id: string;
  readonly events: readonly RunEvent[];
  /** Subscribes to later events. @returns a function that unsubscribes. */
  watch(watcher: (event: RunEvent) => void): () => void;
  /** Progress and results of cases so far. */
  readonly tracker: RunTracker;
  /** Stops starting new units; units in flight are finished. */
  cancel(): void;
  /** Aborts units in flight, and starts no more. */
  stop(): void;
  readonly done: Promise<ExecutedRun>;
}

type Loading = Pick<NonNullable<Parameters<typeof executeRun>[1]>, 'loadAgent' | 'loadedFiles'>;

export type LiveRuns = ReturnType<typeof createLiveRuns>;

/** Keeps track of the runs started by this studio. */
export function createLiveRuns(agents: Agents) {
  const runs = new Map<string, LiveRun>();
  const under = new Set<LiveRun>();
  return {
    /**
     * Starts a prepared run. @returns the run, as soon as its folder exists.
     * @param finish Called before the run counts as done.
     * @param loading Loads the agents, and lists the files that they loaded. Default: leases the agents itself.
     */
    async start(
      prepared: PreparedRun,
      finish?: (run: ExecutedRun) => Promise<void>,
      loading?: Loading,
    ): Promise<LiveRun> {
      const events: RunEvent[] = [];
      const watchers = new Set<(event: RunEvent) => void>();
      const [drain, abort] = [new AbortController(), new AbortController()];
      const tracker = createRunTracker(prepared);
      let onFolder: (id: string) => void = () => undefined;
      const ready = new Promise<string>((settle) => {
        onFolder = settle;
      });
      // Prepared before the run starts; otherwise `last` would mean the run itself.
      const gates = await gatesOfConfigs(prepared);
      const leases: AgentLease[] = [];
      const own: Loading = {
        async loadAgent(found) {
          const lease = await agents.leaseForRun(found, prepared);
          if (lease === null) return found.load();
          leases.push(lease);
          return lease.agent;
        },
        loadedFiles: agents.knowsFiles ? () => new Map(leases.flatMap(({ files }) => [...files()])) : undefined,
      };
      const executed = executeRun(prepared, {
        gates,
        ...(loading ?? own),
        drain: drain.signal,
        signal: abort.signal,
        onReady: ({ folder, turnTimeout }) => {
          if (turnTimeout !== undefined) tracker.limitTurns(turnTimeout);
          onFolder(basename(folder));
        },
        onEvent: (event) => {
          tracker.note(event);
          if (event.type !== 'agent-event') events.push(event);
          for (const watcher of watchers) watcher(event);
        },
      });
      const release = (): void => {
        for (const lease of leases) lease.release();
      };
      executed.then(release, release);
      const done = executed.then(async (run) => {
        await finish?.(run);
        return run;
      });
      // The run may fail before it has a folder.
      const id = await Promise.race([ready, done.then(({ folder }) => basename(folder))]);
      const run: LiveRun = {
        id,
        events,
        watch(watcher) {
          watchers.add(watcher);
          return () => void watchers.delete(watcher);
        },
        tracker,
        cancel() {
          tracker.cancel('finishing');
          drain.abort(new Error('cancelled'));
        },
        stop() {
          tracker.cancel('stopping');
          drain.abort(new Error('cancelled'));
          abort.abort(new Error('stopped in the studio'));
        },
        done,
      };
      runs.set(id, run);
      under.add(run);
      const over = () => void under.delete(run);
      done.then(over, over);
      return run;
    },
    get: (id: string) => runs.get(id),
    isUnderWay(id: string): boolean {
      const run = runs.get(id);
      return run !== undefined && under.has(run);
    },
    /** Forgets a run that has been deleted. */
    forget: (id: string) => void runs.delete(id),
    /** Lists the runs in flight. */
    under: () => [...under],
  };
}

/** Cancels all runs and waits for units in flight. @returns the folders of incomplete runs. */
export async function drainRuns(runs: LiveRuns): Promise<readonly string[]> {
  const ended = runs.under().map(async ({ cancel, done }) => {
    cancel();
    const { outcome, folder } = await done;
    return outcome.finished ? [] : [folder];
  });
  // A run that has failed cannot be resumed.
  const settled = await Promise.allSettled(ended);
  return settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}
