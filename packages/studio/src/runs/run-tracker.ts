import type { RunEvent } from '@agent-criteria/runner';
import { runDefaults } from '@agent-criteria/runner';
import { type CaseRow, type Pending, type ResultRow, type RunProgress, resultRow } from '@agent-criteria/viewer';
import type { CaseIds, LiveRow } from '../api.ts';

export type RunTracker = ReturnType<typeof createRunTracker>;

interface TrackedCase {
  readonly ids: CaseIds;
  /** Repeats that are done. */
  readonly done: Set<number>;
  /** `known`: finished by an earlier start of the run. */
  state: Pending | 'finished' | 'known';
  /** Absent as long as the case has no result. */
  result: ResultRow | undefined;
  /** Total time of its inferences in milliseconds, or `null` if there are none. */
  time: number | null;
  /** The tracker's version when the case last changed. */
  changed: number;
}

/** Follows the events of a run, so that pages can show its cases without reading its files again and again. */
export function createRunTracker({ judged }: { readonly judged: boolean }) {
  const cases = new Map<string, TrackedCase>();
  const running = new Set<string>();
  const watchers = new Set<() => void>();
  let [version, done, doneBefore, total, repeats] = [0, 0, 0, 0, 1];
  let startedAt = Date.now();
  let turnTimeout: number = runDefaults.turnTimeout;
  let cancelled: RunProgress['cancelled'];

  const caseOf = ({ setId, caseId, variant }: CaseIds): TrackedCase => {
    const ids = variant === undefined ? { setId, caseId } : { setId, caseId, variant };
    const known = cases.get(textOf(ids));
    if (known !== undefined) return known;
    const one: TrackedCase = { ids, done: new Set(), state: 'waiting', result: undefined, time: null, changed: 0 };
    cases.set(textOf(ids), one);
    return one;
  };
  const changed = (one?: TrackedCase): void => {
    version += 1;
    if (one !== undefined) one.changed = version;
    for (const watcher of watchers) watcher();
  };
  const unitText = (one: TrackedCase, repeat: number) => `${repeat} ${textOf(one.ids)}`;
  const end = (one: TrackedCase, repeat: number): void => {
    running.delete(unitText(one, repeat));
    if (one.done.has(repeat)) return;
    one.done.add(repeat);
    done += 1;
  };
  /** Ends every repeat of a case, because a case that stops early does not make all of them. */
  const endAll = (one: TrackedCase): void => {
    for (let repeat = 0; repeat < repeats; repeat += 1) end(one, repeat);
  };

  return {
    note(event: RunEvent): void {
      switch (event.type) {
        case 'run-started': {
          ({ units: total, repeats, at: startedAt } = event);
          changed();
          break;
        }
        case 'case-known': {
          const one = caseOf(event);
          const before = done;
          endAll(one);
          doneBefore += done - before;
          one.state = 'known';
          changed(one);
          break;
        }
        case 'unit-started': {
          const one = caseOf(event.key);
          running.add(unitText(one, event.key.repeat));
          one.state = 'running';
          changed(one);
          break;
        }
        case 'unit-inferred': {
          const one = caseOf(event.key);
          one.time = (one.time ?? 0) + Math.max(event.at - event.startedAt, 0);
          const isScored = judged && event.ending.by !== 'error' && event.ending.by !== 'abort';
          if (!isScored) end(one, event.key.repeat);
          if (!judged && one.done.size >= repeats) one.state = 'finished';
          changed(one);
          break;
        }
        case 'unit-scored': {
          const one = caseOf(event.key);
          end(one, event.key.repeat);
          changed(one);
          break;
        }
        case 'case-finished': {
          const one = caseOf(event.result);
          endAll(one);
          one.state = 'finished';
          one.result = resultRow(event.result);
          changed(one);
          break;
        }
      }
    },
    limitTurns(milliseconds: number): void {
      turnTimeout = milliseconds;
    },
    cancel(how: NonNullable<RunProgress['cancelled']>): void {
      if (cancelled !== 'stopping') cancelled = how;
      changed();
    },
    progress(): RunProgress {
      const counts = { done, doneBefore, total, running: running.size };
      return { version, ...counts, startedAt, turnTimeout, ...(cancelled !== undefined && { cancelled }) };
    },
    /** Lists the cases that have changed after a version. */
    changedAfter(seen: number): readonly LiveRow[] {
      const fresh = [...cases.values()].filter((one) => one.changed > seen && one.state !== 'known');
      return fresh.map((one) => ({ ...one.ids, row: rowOf(one) }));
    },
    /** Brings a row up to date that was read from the run's files. */
    update(row: CaseRow, ids: CaseIds): CaseRow {
      const one = cases.get(textOf(ids));
      // A resumed run repeats the cases that ended in an error.
      if (one === undefined) return row.verdict === 'error' ? { ...row, ...pendingRow('waiting') } : row;
      return one.state === 'known' ? row : { ...row, ...rowOf(one) };
    },
    /** Subscribes to changes. @returns a function that unsubscribes. */
    watch(watcher: () => void): () => void {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
  };
}

/** The part of a row of a case that has no verdict yet. */
export function pendingRow(verdict: Pending): LiveRow['row'] {
  return { verdict, reason: undefined, cells: [] };
}

function rowOf({ state, result, time }: TrackedCase): LiveRow['row'] {
  if (state === 'waiting' || state === 'running') return pendingRow(state);
  return result === undefined ? {} : { ...result, time };
}

function textOf({ setId, caseId, variant }: CaseIds): string {
  return JSON.stringify([setId, caseId, variant]);
}
