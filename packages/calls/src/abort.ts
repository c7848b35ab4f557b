import { setMaxListeners } from 'node:events';

/** Creates an abort controller whose signal accepts any number of listeners without Node.js warning of a leak. */
export function wideController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/**
 * The listeners of each signal. Many calls share one signal, and an array is much faster than events. It is not a
 * `Set`, because a constantly changing `Set` keeps its old tables in memory, along with everything that removed
 * listeners refer to.
 */
const listeners = new WeakMap<AbortSignal, Listening[]>();

interface Listening {
  readonly listener: () => void;
  index: number;
}

/**
 * Calls `listener` when the signal aborts, but not if it has already aborted. The order of listeners is undefined. The
 * signal itself gets a single listener however many are added here, and none once all of them are removed.
 *
 * @returns A function that removes the listener.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  let all = listeners.get(signal);
  if (all === undefined) {
    all = [];
    listeners.set(signal, all);
  }
  const others = all;
  const own: Listening = { listener, index: others.length };
  if (own.index === 0) signal.addEventListener('abort', abortAll, { once: true });
  others.push(own);
  return () => {
    if (others[own.index] !== own) return;
    const last = others.pop() as Listening;
    if (last !== own) {
      others[own.index] = last;
      last.index = own.index;
    }
    if (others.length === 0) signal.removeEventListener('abort', abortAll);
  };
}

function abortAll(this: AbortSignal): void {
  for (const { listener } of [...(listeners.get(this) ?? [])]) listener();
}

/**
 * Resolves with the result of `work`, or rejects with the signal's reason if the signal aborts first. The work itself
 * is not stopped: it must listen to the signal. It is not started if the signal has already aborted.
 */
export function untilAborted<T>(work: () => T | PromiseLike<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise<T>((resolve, reject) => {
    const forget = onAbort(signal, () => reject(signal.reason));
    (async () => work())().then(
      (value) => {
        forget();
        resolve(value);
      },
      (error) => {
        forget();
        reject(error);
      },
    );
  });
}
