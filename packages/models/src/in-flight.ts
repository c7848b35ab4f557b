import { onAbort } from '@agent-criteria/calls';
import type { Suspendable } from './reentrancy.ts';

/** Counts the calls in flight. A call does not count while a nested call runs. */
export function openInFlight() {
  let count = 0;
  const waiting = new Set<() => void>();
  return {
    isEmpty: () => count === 0,
    /** Counts a call until it ends or `suspend` is called on the result. */
    start(): Suspendable {
      let isCounted = true;
      count += 1;
      return {
        suspend() {
          if (!isCounted) return;
          isCounted = false;
          count -= 1;
          const all = [...waiting];
          waiting.clear();
          for (const go of all) go();
        },
        resume() {
          if (isCounted) return;
          isCounted = true;
          count += 1;
        },
      };
    },
    /** Resolves when a call has ended or is suspended. */
    untilOneEnds: (signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const forget = onAbort(signal, () => reject(signal.reason));
        waiting.add(() => {
          forget();
          resolve();
        });
      }),
  };
}
