import { LONGEST_TIMER, onAbort, timeInWords } from '@agent-criteria/calls';
import { CriteriaError } from '@agent-criteria/core';

export interface Limit {
  /** Milliseconds, or `Infinity` if only the signal ends the work. */
  readonly milliseconds: number;
  /** The full limit, which the error mentions if `milliseconds` is only what remains of it. */
  readonly of?: number;
  /** The subject of the error, such as "the agent". */
  readonly who: string;
  /** How many milliseconds the work may go on after an abort. Default 0. */
  readonly grace?: number;
  /** Maps the error that the step rejects with. Default: unchanged. */
  failure?(error: unknown): unknown;
}

export type Guard = ReturnType<typeof openGuard>;

/** Creates a time limit for consecutive steps of work, all sharing one timer and one listener. */
export function openGuard(signal: AbortSignal) {
  /** Ends the current step. */
  let cut: ((error: unknown) => void) | null = null;
  let current: Limit | null = null;
  let deadline = Number.POSITIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let firesAt = Number.POSITIVE_INFINITY;

  /**
   * Arms the timer unless it already fires earlier, in which case it is rearmed when it fires. Most steps end long
   * before that.
   */
  const arm = (): void => {
    if (deadline === Number.POSITIVE_INFINITY || firesAt <= deadline) return;
    clearTimeout(timer);
    const left = Math.min(Math.max(deadline - performance.now(), 0), LONGEST_TIMER);
    firesAt = performance.now() + left;
    timer = setTimeout(fire, left);
  };
  const fire = (): void => {
    firesAt = Number.POSITIVE_INFINITY;
    if (cut === null || current === null) return;
    // Timers may fire up to a millisecond early.
    if (performance.now() < deadline - 1) arm();
    else cut(signal.aborted ? signal.reason : tooLate(current));
  };
  const abort = (): void => {
    if (cut === null || current === null) return;
    const { grace = 0 } = current;
    if (grace === 0) {
      cut(signal.reason);
    } else {
      deadline = Math.min(deadline, performance.now() + grace);
      arm();
    }
  };
  const forget = onAbort(signal, abort);

  return {
    /**
     * Resolves with the result of `work`. Rejects with a TIMEOUT error if it takes too long, or with the signal's
     * reason. The work itself is not stopped: its owner must abort its signal. Only one step may run at a time.
     */
    run: <T>(work: () => T | PromiseLike<T>, limit: Limit): Promise<T> =>
      new Promise((resolve, reject) => {
        current = limit;
        deadline = performance.now() + limit.milliseconds;
        let over = false;
        const own = (error: unknown): void => {
          if (over) return;
          over = true;
          if (cut === own) cut = null;
          reject(limit.failure === undefined ? error : limit.failure(error));
        };
        cut = own;
        if (signal.aborted) abort();
        if (over) return;
        arm();
        settle(
          work,
          (value) => {
            over = true;
            if (cut === own) cut = null;
            resolve(value);
          },
          own,
        );
      }),
    /** Removes the timer and the listener. */
    end(): void {
      clearTimeout(timer);
      forget();
    },
  };
}

function settle<T>(work: () => T | PromiseLike<T>, done: (value: T) => void, fail: (error: unknown) => void): void {
  try {
    const given = work();
    if (isThenable(given)) given.then(done, fail);
    else done(given);
  } catch (error) {
    fail(error);
  }
}

function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function tooLate({ milliseconds, of = milliseconds, who }: Limit): CriteriaError {
  const message = `${who} took longer than ${timeInWords(of)}`;
  return new CriteriaError({ code: 'TIMEOUT', message });
}
