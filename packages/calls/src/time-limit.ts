import { CriteriaError } from '@agent-criteria/core';
import { onAbort, untilAborted, wideController } from './abort.ts';

/** Node's timers hold no more milliseconds than this (25 days); a longer one would fire at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

export interface TimeLimitOptions {
  /** Ends what is limited as well. Default: only the time does. */
  readonly signal?: AbortSignal | undefined;
  /** Default: no limit of time. What is longer than `LONGEST_TIMER` counts as that. */
  readonly milliseconds?: number | undefined;
  /** Why the signal aborts when the time is over. Default: a CriteriaError TIMEOUT. */
  readonly tooLate?: (() => unknown) | undefined;
}

/** A signal that aborts with another one, or when the time is over. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Whether the time is over. */
  isOver(): boolean;
  /** Stops the clock, until `resume`. */
  suspend(): void;
  resume(): void;
  /** Frees the timer and the listener: from now on the signal does not abort any more. */
  end(): void;
}

/** Begins at once. The caller ends it. */
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
      stop(tooLate === undefined ? tookLongerThan(milliseconds) : tooLate());
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
 * What `work` gives in time, else the reason of the abort. The work gets a signal of its own, which aborts then; whether or
 * not it listens, this ends in time.
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

/** `120 s`, `50 ms`. */
export function timeInWords(milliseconds: number): string {
  return milliseconds >= 1000 ? `${milliseconds / 1000} s` : `${milliseconds} ms`;
}

/** The error of a model or a service that took too long. */
export function noAnswerWithin(milliseconds: number, to: string): CriteriaError {
  return new CriteriaError({ code: 'TIMEOUT', message: `${to} did not answer within ${timeInWords(milliseconds)}` });
}

function tookLongerThan(milliseconds: number): CriteriaError {
  return new CriteriaError({ code: 'TIMEOUT', message: `it took longer than ${timeInWords(milliseconds)}` });
}
