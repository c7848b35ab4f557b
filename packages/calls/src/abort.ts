import { setMaxListeners } from 'node:events';

/** An abort controller whose signal any number may listen to: from eleven listeners on, Node 20 warns of a leak. */
export function wideController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/**
 * The listeners of a signal: many calls share one, and this is far quicker than events. Not sets: a set that is added to and taken
 * from all the time leaves its old tables behind, each of which holds the next, so that what their listeners hold lives on.
 */
const listeners = new WeakMap<AbortSignal, Listening[]>();

interface Listening {
  readonly listener: () => void;
  index: number;
}

/**
 * Calls `listener` when the signal aborts; never, where it has aborted already. However many listen, in no particular order, the
 * signal has one listener of its own, and none once all have gone.
 *
 * @returns What makes it forget that.
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
 * What `work` gives, or the signal's reason when that aborts first. The work cannot be stopped from outside: whoever owns it
 * listens to the signal. It is not begun where the signal has aborted already.
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
