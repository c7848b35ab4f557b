import type { UnitKey } from '@agent-criteria/core';
import { endedInError } from '@agent-criteria/core/host';
import type { RunTiming } from '@agent-criteria/results/text';
import type { RunEvent } from './engine/events.ts';
import { timeNow } from './own-globals.ts';

/** How many units of a run are done and running. `total` is 0 before the run has started. */
export interface UnitCounts extends Omit<RunTiming, 'isCancelled'> {
  readonly running: number;
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

  /** @param text The text of the ids of the case. */
  const end = (text: string, repeat: number): void => {
    running.delete(`${repeat} ${text}`);
    const ended = doneOf.get(text) ?? new Set();
    if (ended === ALL || ended.has(repeat)) return;
    doneOf.set(text, ended.add(repeat));
    done += 1;
  };
  /** Ends every repeat of a case, because a case that stops early does not make all of them. */
  const endAll = (ids: CaseIds): void => {
    const text = textOf(ids);
    for (let repeat = 0; repeat < repeats; repeat += 1) end(text, repeat);
    doneOf.set(text, ALL);
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
          if (!isScored) end(textOf(event.key), event.key.repeat);
          break;
        }
        case 'unit-scored': {
          end(textOf(event.key), event.key.repeat);
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
