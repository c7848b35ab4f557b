import type { Ending, Json, UnitKey } from '@agent-criteria/core';
import type { CaseResult, Summary, Verdict } from '@agent-criteria/core/host';
import type { RunCall } from '@agent-criteria/results';
import { timeNow } from '../own-globals.ts';

/** What happens during a run, as it happens. `at` is in milliseconds since the epoch. Reporters watch; nothing waits for them. */
export type RunEvent = { readonly at: number } & (
  | {
      readonly type: 'run-started';
      /** `null`: the run is held in memory only. */
      readonly folder: string | null;
      /** How many units there are in all; where cases may stop early, at most. */
      readonly units: number;
      readonly repeats: number;
    }
  /** Before the run: another process, named by `holder`, may still write its folder. It gets `atMost` milliseconds to give a sign of life. */
  | { readonly type: 'folder-awaited'; readonly folder: string; readonly holder: string; readonly atMost: number }
  /** An earlier start of this run has finished the case. */
  | {
      readonly type: 'case-known';
      readonly setId: string;
      readonly caseId: string;
      readonly variant?: string | undefined;
      readonly verdict: Verdict;
    }
  | { readonly type: 'unit-started'; readonly key: UnitKey }
  /**
   * What the agent's session reports while it works on a turn, from 0: streamed text, calls, responses, as its adapter
   * has them (agents of ADK: ADK's events).
   */
  | { readonly type: 'agent-event'; readonly key: UnitKey; readonly turn: number; readonly event: Json }
  /** `turn` from 0. */
  | { readonly type: 'turn-finished'; readonly key: UnitKey; readonly turn: number }
  /** The agent's part is over; `startedAt` is when it began. */
  | { readonly type: 'unit-inferred'; readonly key: UnitKey; readonly ending: Ending; readonly startedAt: number }
  | { readonly type: 'unit-scored'; readonly key: UnitKey; readonly startedAt: number }
  /** To a model or a paid service, answered or not; from a cache, too. */
  | { readonly type: 'call-finished'; readonly call: RunCall }
  | { readonly type: 'case-finished'; readonly result: CaseResult }
  | { readonly type: 'run-finished'; readonly summary: Summary; readonly finished: boolean }
);

/** Watches a run. What it throws is not the run's concern and is dropped. */
export type RunWatcher = (event: RunEvent) => void;

/** An event that gets its time when it is reported. */
export type NewEvent = RunEvent extends infer Each ? (Each extends RunEvent ? Omit<Each, 'at'> : never) : never;

/** Where everything that happens in a run is reported, once. */
export type EventSink = (event: NewEvent) => void;

/**
 * Sends each event to the watcher. An error in the watcher never affects the run.
 * @param own Called first with every event, even without a watcher. Default: does nothing.
 */
export function eventSink(watcher: RunWatcher | undefined, own: EventSink = () => undefined): EventSink {
  if (watcher === undefined) return own;
  return (event) => {
    own(event);
    try {
      const returned: unknown = watcher({ at: timeNow(), ...event });
      if (returned instanceof Promise) returned.catch(() => undefined);
    } catch {
      // Not the run's concern.
    }
  };
}
