import { CriteriaError } from '@agent-criteria/core';
import { onAbort, untilAborted, wideController } from './abort.ts';

/** The longest delay of a Node.js timer in milliseconds (25 days). A longer one would fire at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

export interface TimeLimitOptions {
  /** A signal that also aborts the time limit's signal. Default: only the timeout does. */
  readonly signal?: AbortSignal | undefined;
  /** Default: no time limit. Longer times count as `LONGEST_TIMER`. */
  readonly milliseconds?: number | undefined;
  /** Creates the abort reason for a timeout. Default: a CriteriaError TIMEOUT. */
  readonly tooLate?: (() => unknown) | undefined;
}

/** A signal that aborts with another one, or when the time is up. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Whether the time is up. */
  isOver(): boolean;
  /** Stops the clock until `resume`. */
  suspend(): void;
  resume(): void;
  /** Removes the timer and the listener. The signal does not abort afterwards. */
  end(): void;
}

/** Starts a time limit. The caller must end it. */
export function openTimeLimit({ signal, milliseconds, tooLate }: TimeLimitOptions): TimeLimit {
  const controller = wideController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let left = Math.min(milliseconds ?? Number.POSITIVE_INFINITY, LONGEST_TIMER);
  let since = 0;
  let isOver = false;
  let hasEnded = false;

  function suspend(): void {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    left = Math.max(0, left - (performance.now() - since));
  }

  function resume(): void {
    if (timer !== undefined || hasEnded || milliseconds === undefined) return;
    since = performance.now();
    timer = setTimeout(() => {
      isOver = true;
      const message = `it took longer than ${timeInWords(milliseconds)}`;
      stop(tooLate === undefined ? new CriteriaError({ code: 'TIMEOUT', message }) : tooLate());
    }, left);
  }

  function end(): void {
    hasEnded = true;
    suspend();
    forget();
  }

  function stop(reason: unknown): void {
    end();
    controller.abort(reason);
  }

  const forget = signal === undefined ? () => undefined : onAbort(signal, () => stop(signal.reason));
  if (signal?.aborted) stop(signal.reason);
  else resume();
  return { signal: controller.signal, isOver: () => isOver, suspend, resume, end };
}

/**
 * Resolves with the result of `work`, or rejects with the abort reason if the time is up or the signal aborts. The work
 * gets its own signal, which then aborts; this rejects in time even if the work ignores it.
 */
export async function inTime<T>(
  work: (signal: AbortSignal) => T | PromiseLike<T>,
  options: TimeLimitOptions,
): Promise<T> {
  const limit = openTimeLimit(options);
  try {
    return await untilAborted(() => work(limit.signal), limit.signal);
  } finally {
    limit.end();
  }
}

/** Formats a time span as `120 s` or `50 ms`. */
export function timeInWords(milliseconds: number): string {
  return milliseconds >= 1000 ? `${milliseconds / 1000} s` : `${milliseconds} ms`;
}

/** Creates the error for a model or a service that took too long. */
export function noAnswerWithin(milliseconds: number, to: string): CriteriaError {
  return new CriteriaError({ code: 'TIMEOUT', message: `${to} did not answer within ${timeInWords(milliseconds)}` });
}
