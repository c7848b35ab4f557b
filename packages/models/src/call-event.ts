import type { FailureKind } from './classify-failure.ts';

/** The state of a run's budget. */
export interface Spent {
  /** The number of calls sent, including every retry. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The cost at the given prices, in their currency, without calls whose price is unknown. */
  readonly cost: number;
  /** The number of answered calls with unknown cost. */
  readonly callsWithoutPrice: number;
}

/** A progress event about a call. `target` is the id of a model or the name of a service. */
export type CallEvent =
  /** An attempt failed. Attempt number `attempt` (from 2), of at most `of`, follows after `wait` milliseconds. */
  | {
      readonly type: 'retrying';
      readonly target: string;
      readonly attempt: number;
      readonly of: number;
      readonly wait: number;
      readonly kind: FailureKind;
      readonly reason: string;
    }
  /** The service could not keep up, so that only `concurrency` calls run at once instead of `of`. */
  | { readonly type: 'throttled'; readonly target: string; readonly concurrency: number; readonly of: number }
  /**
   * The service is keeping up again, so one more call may run concurrently. Throttling ends when `concurrency` equals
   * `of`.
   */
  | { readonly type: 'recovered'; readonly target: string; readonly concurrency: number; readonly of: number }
  /** Calls are waiting for a rate limit, or for as long as the service has requested. */
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

/** A listener for call events. Its errors are ignored. */
export type CallWatcher = (event: CallEvent) => void;

export function emit(watcher: CallWatcher | undefined, event: CallEvent): void {
  try {
    watcher?.(event);
  } catch {
    // An error while showing progress must not cost an answer.
  }
}
