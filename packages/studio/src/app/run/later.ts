/** Milliseconds without a change. */
const PAUSE = 300;

/** Does something after a short pause in changes. @returns Cancels it. */
export function later(work: (signal: AbortSignal) => Promise<void>): () => void {
  const stop = new AbortController();
  const timer = setTimeout(() => void work(stop.signal), PAUSE);
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}
