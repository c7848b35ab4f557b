import { setMaxListeners } from 'node:events';

/** An abort controller whose signal any number may listen to: from eleven listeners on, Node 20 warns of a leak. */
export function wideController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/**
 * Runs work on a signal of its own that aborts when `signal` does, so that the caller's signal gets one listener, however
 * many conversations and calls there are.
 */
export async function withOwnSignal<T>(
  signal: AbortSignal | undefined,
  work: (own: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = wideController();
  const abort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await work(controller.signal);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
