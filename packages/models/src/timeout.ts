import { setMaxListeners } from 'node:events';
import { CriteriaError } from '@agent-criteria/core';
import { onAbort } from './abort.ts';
import type { Attempt } from './attempt.ts';
import { holding } from './nesting.ts';

/** Milliseconds that one attempt may take when nothing else is said. */
export const DEFAULT_TIMEOUT = 120_000;

/**
 * Gives an attempt so many milliseconds; time that calls inside of it take is not counted. An attempt that takes too long is
 * aborted, and this rejects with a CriteriaError TIMEOUT, which retries take for a passing failure. Whether or not the
 * attempt listens to its signal, this ends in time.
 */
export function inTime<T>(attempt: Attempt<T>, signal: AbortSignal, milliseconds: number, to: string): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let left = milliseconds;
  let since = 0;
  let over = false;
  let end: (reason: unknown) => void = () => undefined;
  const clock = {
    suspend() {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      left = Math.max(0, left - (performance.now() - since));
    },
    resume() {
      if (timer !== undefined || over) return;
      since = performance.now();
      timer = setTimeout(() => end(tooLate(to, milliseconds)), left);
    },
  };
  return holding(
    clock,
    () =>
      new Promise<T>((resolve, reject) => {
        const stop = (): void => {
          over = true;
          clock.suspend();
          forget();
        };
        end = (reason) => {
          stop();
          controller.abort(reason);
          reject(reason);
        };
        const forget = onAbort(signal, () => end(signal.reason));
        clock.resume();
        // A function that throws before it gives a promise has failed like any other.
        (async () => attempt(controller.signal))().then(
          (answer) => {
            stop();
            resolve(answer);
          },
          (error: unknown) => {
            stop();
            reject(error);
          },
        );
      }),
  );
}

function tooLate(to: string, milliseconds: number): CriteriaError {
  const time = milliseconds >= 1000 ? `${milliseconds / 1000} s` : `${milliseconds} ms`;
  return new CriteriaError({ code: 'TIMEOUT', message: `${to} gave no answer within ${time}` });
}
