import { CriteriaError } from '@agent-criteria/core';
import { type AgentHost, watchFiles } from '@agent-criteria/project/agent-process';
import type { CodeState } from '../api.ts';
import { nameIn } from '../apps/app.ts';

/** Watches the code of an agent as long as somebody looks at it. */
export interface CodeWatch {
  state(): CodeState;
  /** Subscribes to changes. @returns A function that unsubscribes. */
  watch(listener: () => void): () => void;
  close(): Promise<void>;
}

/** Creates a watch that loads changed code at once, so that a mistake shows when it is saved. @param folder That of the app. */
export function createCodeWatch(
  host: Pick<AgentHost, 'lease' | 'changed' | 'files' | 'onFiles'>,
  folder: string,
): CodeWatch {
  const listeners = new Set<() => void>();
  let state: CodeState = { changed: [], at: null, problem: null };
  let watching: { readonly stop: AbortController; readonly ended: Promise<void> } | null = null;

  const set = (next: CodeState): void => {
    state = next;
    for (const listener of listeners) listener();
  };
  const note = (files: readonly string[]): void =>
    set({ ...state, changed: files.map((file) => nameIn(folder, file)), at: Date.now() });
  /** Loads the code that is on disk. */
  async function load(): Promise<void> {
    let problem: string | null = null;
    try {
      (await host.lease()).release();
    } catch (error) {
      problem = CriteriaError.is(error) ? error.message : String(error);
    }
    if (problem !== state.problem) set({ ...state, problem });
  }

  async function run(signal: AbortSignal): Promise<void> {
    const watcher = await watchFiles();
    try {
      const before = host.changed();
      if (before.length > 0) note(before);
      await load();
      while (!signal.aborted) {
        const changed = await changedFiles(signal, (own) => watcher.changed(host.files(), own));
        if (changed === null) continue;
        note(changed);
        await load();
      }
    } finally {
      await watcher.close();
    }
  }

  /** Waits for changed files. Returns `null` as soon as there are more files to watch, or watching has ended. */
  async function changedFiles(
    signal: AbortSignal,
    wait: (signal: AbortSignal) => Promise<readonly string[]>,
  ): Promise<readonly string[] | null> {
    const more = new AbortController();
    const forget = host.onFiles(() => more.abort());
    try {
      return await wait(AbortSignal.any([signal, more.signal]));
    } catch (error) {
      if (signal.aborted || more.signal.aborted) return null;
      throw error;
    } finally {
      forget();
    }
  }

  async function end(): Promise<void> {
    const ending = watching;
    watching = null;
    ending?.stop.abort();
    await ending?.ended;
  }

  return {
    state: () => state,
    watch(listener) {
      listeners.add(listener);
      if (watching === null) {
        const stop = new AbortController();
        // If files cannot be watched, the next turn still uses the new code.
        const ended = run(stop.signal).catch(() => undefined);
        watching = { stop, ended };
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) void end();
      };
    },
    close: end,
  };
}
