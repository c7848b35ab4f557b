import { basename } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { type ExecutedRun, executeRun, type PreparedRun } from '@agent-criteria/project';
import { loadInstruments, prepareGates } from '@agent-criteria/project/runs';
import type { GatesOfRun, RunEvent } from '@agent-criteria/runner';

/** A run that this studio works on, or worked on. */
export interface LiveRun {
  /** That of its folder. */
  readonly id: string;
  /** What happened so far. */
  readonly events: readonly RunEvent[];
  /** Gets what happens from here on. @returns ends it. */
  watch(watcher: (event: RunEvent) => void): () => void;
  /** Nothing new starts; what is under way comes to its end. */
  cancel(): void;
  readonly done: Promise<ExecutedRun>;
}

/** The runs of this studio. */
export interface LiveRuns {
  /**
   * Starts what was prepared, and gives it as soon as its folder is there.
   * @param finish What belongs to the run, too: it is over when that is done. Default: nothing.
   */
  start(prepared: PreparedRun, finish?: (run: ExecutedRun) => Promise<void>): Promise<LiveRun>;
  get(id: string): LiveRun | undefined;
  /** Those that are not over. */
  under(): readonly LiveRun[];
}

export function createLiveRuns(): LiveRuns {
  const runs = new Map<string, LiveRun>();
  const under = new Set<LiveRun>();
  return {
    async start(prepared, finish) {
      const events: RunEvent[] = [];
      const watchers = new Set<(event: RunEvent) => void>();
      const drain = new AbortController();
      let onFolder: (id: string) => void = () => undefined;
      const ready = new Promise<string>((settle) => {
        onFolder = settle;
      });
      // Before the run: the last run must not be this one.
      const gates = await gatesOfRun(prepared);
      const executed = executeRun(prepared, {
        gates,
        drain: drain.signal,
        onReady: ({ folder }) => onFolder(basename(folder)),
        onEvent: (event) => {
          if (event.type !== 'agent-event') events.push(event);
          for (const watcher of watchers) watcher(event);
        },
      });
      const done = executed.then(async (run) => {
        await finish?.(run);
        return run;
      });
      // It may be refused before it has a folder.
      const id = await Promise.race([ready, done.then(({ folder }) => basename(folder))]);
      const run: LiveRun = {
        id,
        events,
        watch(watcher) {
          watchers.add(watcher);
          return () => void watchers.delete(watcher);
        },
        cancel: () => drain.abort(new Error('cancelled')),
        done,
      };
      runs.set(id, run);
      under.add(run);
      const over = () => void under.delete(run);
      done.then(over, over);
      return run;
    },
    get: (id) => runs.get(id),
    under: () => [...under],
  };
}

/** Starts nothing more in any run, and waits for what is under way. @returns The folders of the runs that are incomplete. */
export async function drainRuns(runs: LiveRuns): Promise<readonly string[]> {
  const ended = runs.under().map(async ({ cancel, done }) => {
    cancel();
    const { outcome, folder } = await done;
    return outcome.finished ? [] : [folder];
  });
  // One that was refused has nothing to resume.
  const settled = await Promise.allSettled(ended);
  return settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

/**
 * The gates of a run's configs; `undefined`: there are none. If the command would refuse them, for example because only a flag of the CI job names
 * the baseline, they cannot tell, but the run goes on.
 */
export async function gatesOfRun(prepared: PreparedRun): Promise<GatesOfRun | undefined> {
  if (!prepared.judged) return undefined;
  try {
    const gates = await prepareGates(prepared);
    if (gates === null) return undefined;
    const measured = await loadInstruments(prepared.project);
    return { ...gates, results: (run) => gates.results(run, measured) };
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    const text = error.message;
    return { decide: false, names: [{ name: 'gates' }], results: async () => [{ name: 'gates', holds: null, text }] };
  }
}
