import type { Ending, Json, UnitKey } from '@agent-criteria/core';
import type { CaseResult, Summary, Verdict } from '@agent-criteria/core/host';
import type { RunCall } from '@agent-criteria/results';
import { timeNow } from '../own-globals.ts';

/** An event of a run. `at` is in milliseconds since the epoch. The run does not wait for watchers. */
export type RunEvent = { readonly at: number } & (
  | {
      readonly type: 'run-started';
      /** `null` for a run in memory. */
      readonly folder: string | null;
      /** The total number of units, or the maximum if cases may stop early. */
      readonly units: number;
      readonly repeats: number;
    }
  /**
   * Emitted before the run if another process, `holder`, may still be writing to its folder. That process has `atMost`
   * milliseconds to renew its lease.
   */
  | { readonly type: 'folder-awaited'; readonly folder: string; readonly holder: string; readonly atMost: number }
  /** The case was already finished by an earlier start of this run. */
  | {
      readonly type: 'case-known';
      readonly setId: string;
      readonly caseId: string;
      readonly variant?: string | undefined;
      readonly verdict: Verdict;
    }
  | { readonly type: 'unit-started'; readonly key: UnitKey }
  /**
   * The agent's session reported progress in a zero-based turn: streamed text, calls or responses, in its adapter's
   * format (for ADK agents, ADK's events).
   */
  | { readonly type: 'agent-event'; readonly key: UnitKey; readonly turn: number; readonly event: Json }
  /** `turn` is zero-based. */
  | { readonly type: 'turn-finished'; readonly key: UnitKey; readonly turn: number }
  /** The inference of a unit has ended. `startedAt` is when it started. */
  | {
      readonly type: 'unit-inferred';
      readonly key: UnitKey;
      readonly ending: Ending;
      readonly startedAt: number;
      /** The cost of the agent's own model calls at the run's prices; absent if unknown. */
      readonly cost?: number | undefined;
    }
  | { readonly type: 'unit-scored'; readonly key: UnitKey; readonly startedAt: number }
  /** A call to a model or paid service failed or was answered, possibly from a cache. */
  | { readonly type: 'call-finished'; readonly call: RunCall }
  | { readonly type: 'case-finished'; readonly result: CaseResult }
  | { readonly type: 'run-finished'; readonly summary: Summary; readonly finished: boolean }
);

/** A listener for the events of a run. Its errors are ignored. */
export type RunWatcher = (event: RunEvent) => void;

/** An event before it is timestamped. */
export type NewEvent = RunEvent extends infer Each ? (Each extends RunEvent ? Omit<Each, 'at'> : never) : never;

/** Receives every event of a run exactly once. */
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
      // Errors of a watcher are ignored.
    }
  };
}
