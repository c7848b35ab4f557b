/** The listeners of a signal: many calls share one, and Node warns of a leak from the eleventh listener on. */
const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `listener` when the signal aborts. @returns what makes it forget that. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const all = listeners.get(signal) ?? new Set();
  listeners.set(signal, all);
  if (all.size === 0) signal.addEventListener('abort', tellAll, { once: true });
  all.add(listener);
  return () => {
    all.delete(listener);
    if (all.size === 0) signal.removeEventListener('abort', tellAll);
  };
}

function tellAll(this: AbortSignal): void {
  for (const listener of [...(listeners.get(this) ?? [])]) listener();
}

/** What the promise gives, or the signal's reason when that aborts first. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => reject(signal.reason));
    promise.then(resolve, reject).finally(forget);
    if (signal.aborted) reject(signal.reason);
  });
}

/** Waits; rejects with the reason of the first signal that aborts. */
export function sleep(milliseconds: number, ...signals: readonly AbortSignal[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return signals.reduce(untilAborted, slept).finally(() => clearTimeout(timer));
}
