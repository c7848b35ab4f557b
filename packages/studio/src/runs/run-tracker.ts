import type { RunEvent } from '@agent-criteria/runner';
import { countUnits, runDefaults } from '@agent-criteria/runner';
import { type CaseRow, type Pending, type ResultRow, type RunProgress, resultRow } from '@agent-criteria/viewer';
import type { CaseIds, LiveRow } from '../api.ts';

export type RunTracker = ReturnType<typeof createRunTracker>;

interface TrackedCase {
  readonly ids: CaseIds;
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
  const units = countUnits({ judged });
  const watchers = new Set<() => void>();
  let version = 0;
  let turnTimeout: number = runDefaults.turnTimeout;
  let cancelled: RunProgress['cancelled'];

  const caseOf = ({ setId, caseId, variant }: CaseIds): TrackedCase => {
    const ids = variant === undefined ? { setId, caseId } : { setId, caseId, variant };
    const known = cases.get(textOf(ids));
    if (known !== undefined) return known;
    const one: TrackedCase = { ids, state: 'waiting', result: undefined, time: null, changed: 0 };
    cases.set(textOf(ids), one);
    return one;
  };
  const changed = (one?: TrackedCase): void => {
    version += 1;
    if (one !== undefined) one.changed = version;
    for (const watcher of watchers) watcher();
  };
  return {
    note(event: RunEvent): void {
      units.note(event);
      switch (event.type) {
        case 'run-started': {
          changed();
          break;
        }
        case 'case-known': {
          const one = caseOf(event);
          one.state = 'known';
          changed(one);
          break;
        }
        case 'unit-started': {
          const one = caseOf(event.key);
          one.state = 'running';
          changed(one);
          break;
        }
        case 'unit-inferred': {
          const one = caseOf(event.key);
          one.time = (one.time ?? 0) + Math.max(event.at - event.startedAt, 0);
          if (!judged && units.isDone(one.ids)) one.state = 'finished';
          changed(one);
          break;
        }
        case 'unit-scored': {
          changed(caseOf(event.key));
          break;
        }
        case 'case-finished': {
          const one = caseOf(event.result);
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
      return { version, ...units.counts(), turnTimeout, ...(cancelled !== undefined && { cancelled }) };
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
