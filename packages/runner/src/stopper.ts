import { CriteriaError } from '@agent-criteria/core';
import { wideController } from './abort.ts';

/** Node's timers hold no more milliseconds than this (25 days); a longer one would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** A signal that aborts with the caller's, and when the run's time is over. */
export interface Stopper {
  readonly signal: AbortSignal;
  /** Whether the time is over. */
  isTimedOut(): boolean;
  end(): void;
}

/** @param runTimeout Milliseconds. Default: no limit. */
export function stopper(signal: AbortSignal | undefined, runTimeout: number | undefined): Stopper {
  const controller = wideController();
  let isLate = false;
  const abort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  const timeOut = (): void => {
    isLate = true;
    controller.abort(new CriteriaError({ code: 'TIMEOUT', message: `the run took longer than ${runTimeout} ms` }));
  };
  const timer = runTimeout === undefined ? undefined : setTimeout(timeOut, Math.min(runTimeout, LONGEST_TIMER));
  return {
    signal: controller.signal,
    isTimedOut: () => isLate,
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}
