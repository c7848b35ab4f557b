import type { FailureKind } from './classify-failure.ts';

/** The state of a run's budget. */
export interface Spent {
  /** Calls that were sent, every attempt of each. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** By the prices given, in their currency. What has no known price is not in it. */
  readonly cost: number;
  /** How many answered calls have an unknown cost. */
  readonly callsWithoutPrice: number;
}

/** Events of calls, to show progress. `to` is the id of a model or the name of a service. */
export type CallEvent =
  /** An attempt failed, and the next is made after `wait` milliseconds: the `attempt`th (from 2) of at most `of`. */
  | {
      readonly type: 'retrying';
      readonly target: string;
      readonly attempt: number;
      readonly of: number;
      readonly wait: number;
      readonly kind: FailureKind;
      readonly reason: string;
    }
  /** The service could not keep up: so many calls run at once from now on, of `of` that may. */
  | { readonly type: 'throttled'; readonly target: string; readonly concurrency: number; readonly of: number }
  /** It keeps up again: one more at once. When `concurrency` is `of`, nothing is throttled any more. */
  | { readonly type: 'recovered'; readonly target: string; readonly concurrency: number; readonly of: number }
  /** Calls wait, though there is room: for a time that the service has asked for, or for the next minute. */
  | {
      readonly type: 'waiting';
      readonly target: string;
      readonly wait: number;
      readonly for: 'service' | 'requests-per-minute' | 'tokens-per-minute';
    }
  /** It is down: calls to it fail at once for `wait` milliseconds, and until one of them gets through. */
  | { readonly type: 'down'; readonly target: string; readonly wait: number; readonly reason: string }
  /** No more calls are made. Sent once. */
  | { readonly type: 'budget-spent'; readonly spent: Spent };

/** Watches calls. What it throws is not their concern and is dropped. */
export type CallWatcher = (event: CallEvent) => void;

export function emit(watcher: CallWatcher | undefined, event: CallEvent): void {
  try {
    watcher?.(event);
  } catch {
    // A broken progress line must not cost an answer.
  }
}
