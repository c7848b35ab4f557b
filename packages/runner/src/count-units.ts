import type { UnitKey } from '@agent-criteria/core';
import { endedInError } from '@agent-criteria/core/host';
import type { RunEvent } from './engine/events.ts';
import { timeNow } from './own-globals.ts';

/** How many units of a run are done and running. Times are in milliseconds since the epoch. */
export interface UnitCounts {
  /** Units that are inferred and scored, including those of an earlier start. */
  readonly done: number;
  /** Units that were done when the run was last started. */
  readonly doneBefore: number;
  /** The total number of units, or the maximum if cases may stop early. 0 before the run has started. */
  readonly total: number;
  readonly running: number;
  readonly startedAt: number;
}

/** Marks a case of which every repeat is done. A string takes less memory than a set for each of many cases. */
const ALL = 'all';

type CaseIds = Omit<UnitKey, 'repeat'>;

/**
 * Counts the units of a run from its events.
 * @param judged Whether the run scores; otherwise a unit is done once it is inferred.
 */
export function countUnits({ judged }: { readonly judged: boolean }): {
  note(event: RunEvent): void;
  counts(): UnitCounts;
  /** Whether every repeat of a case is done. */
  isDone(ids: CaseIds): boolean;
} {
  const running = new Set<string>();
  const doneOf = new Map<string, Set<number> | typeof ALL>();
  let [done, doneBefore, total, repeats, startedAt] = [0, 0, 0, 1, timeNow()];

  const end = (ids: CaseIds, repeat: number): void => {
    const text = textOf(ids);
    running.delete(`${repeat} ${text}`);
    const ended = doneOf.get(text) ?? new Set();
    if (ended === ALL || ended.has(repeat)) return;
    doneOf.set(text, ended.add(repeat));
    done += 1;
  };
  /** Ends every repeat of a case, because a case that stops early does not make all of them. */
  const endAll = (ids: CaseIds): void => {
    for (let repeat = 0; repeat < repeats; repeat += 1) end(ids, repeat);
    doneOf.set(textOf(ids), ALL);
  };

  return {
    note(event) {
      switch (event.type) {
        case 'run-started': {
          ({ units: total, repeats, at: startedAt } = event);
          break;
        }
        case 'case-known': {
          const before = done;
          endAll(event);
          doneBefore += done - before;
          break;
        }
        case 'unit-started': {
          running.add(`${event.key.repeat} ${textOf(event.key)}`);
          break;
        }
        case 'unit-inferred': {
          const isScored = judged && !endedInError(event.ending);
          if (!isScored) end(event.key, event.key.repeat);
          break;
        }
        case 'unit-scored': {
          end(event.key, event.key.repeat);
          break;
        }
        case 'case-finished': {
          endAll(event.result);
          break;
        }
      }
    },
    isDone(ids) {
      const ended = doneOf.get(textOf(ids));
      return ended !== undefined && (ended === ALL || ended.size >= repeats);
    },
    counts: () => ({ done, doneBefore, total, running: running.size, startedAt }),
  };
}

function textOf({ setId, caseId, variant }: CaseIds): string {
  return JSON.stringify([setId, caseId, variant]);
}
