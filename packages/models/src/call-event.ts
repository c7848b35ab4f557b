import type { FailureKind } from './classify-failure.ts';

/** The state of a run's budget. */
export interface Spent {
  /** Calls sent, including every retry. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The cost by the given prices, in their currency, without calls of unknown price. */
  readonly cost: number;
  /** The number of answered calls with unknown cost. */
  readonly callsWithoutPrice: number;
}

/** An event of a call, for progress. `target` is the id of a model or the name of a service. */
export type CallEvent =
  /** An attempt failed. Attempt number `attempt` (from 2) of at most `of` follows after `wait` milliseconds. */
  | {
      readonly type: 'retrying';
      readonly target: string;
      readonly attempt: number;
      readonly of: number;
      readonly wait: number;
      readonly kind: FailureKind;
      readonly reason: string;
    }
  /** The service could not keep up, so `concurrency` instead of `of` calls run at once. */
  | { readonly type: 'throttled'; readonly target: string; readonly concurrency: number; readonly of: number }
  /** The service keeps up again, so one more call runs at once. Throttling ends when `concurrency` equals `of`. */
  | { readonly type: 'recovered'; readonly target: string; readonly concurrency: number; readonly of: number }
  /** Calls wait for a rate limit, or for a time that the service has requested. */
  | {
      readonly type: 'waiting';
      readonly target: string;
      readonly wait: number;
      readonly for: 'service' | 'requests-per-minute' | 'tokens-per-minute';
    }
  /** The service is down. Calls to it fail at once for `wait` milliseconds, and then until one succeeds. */
  | { readonly type: 'down'; readonly target: string; readonly wait: number; readonly reason: string }
  /** The budget is spent, and no more calls are made. Emitted once. */
  | { readonly type: 'budget-spent'; readonly spent: Spent };

/** A listener for events of calls. Its errors are ignored. */
export type CallWatcher = (event: CallEvent) => void;

export function emit(watcher: CallWatcher | undefined, event: CallEvent): void {
  try {
    watcher?.(event);
  } catch {
    // A broken progress line must not cost an answer.
  }
}
