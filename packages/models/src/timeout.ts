import { setMaxListeners } from 'node:events';
import { CriteriaError, type LanguageModel } from '@agent-criteria/core';
import { onAbort } from './abort.ts';
import type { Attempt } from './attempt.ts';
import { checkNumbers } from './check-numbers.ts';
import { holding } from './nesting.ts';
import { wrapModel } from './wrap-model.ts';

/** Milliseconds that one attempt may take when nothing else is said. */
export const DEFAULT_TIMEOUT = 120_000;

/**
 * The same model; an attempt that takes too long is aborted and rejects with a CriteriaError TIMEOUT, which retries take for a
 * passing failure. Put it inside of retries, so that each attempt has its time.
 *
 * @param milliseconds Default 120,000.
 */
export function withTimeout(model: LanguageModel, milliseconds: number = DEFAULT_TIMEOUT): LanguageModel {
  checkNumbers({ times: { timeout: milliseconds } });
  return wrapModel(model, (request, signal) =>
    inTime((own) => model.generate(request, own), signal, milliseconds, model.id),
  );
}

/**
 * Gives an attempt so many milliseconds; time that calls inside of it take is not counted. Whether or not the attempt
 * listens to its signal, this ends in time.
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
