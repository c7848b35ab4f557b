import { onAbort } from '@agent-criteria/calls';
import type { Suspendable } from './reentrancy.ts';

/** Counts the calls in flight. A call does not count while a nested call runs. */
export interface InFlight {
  isEmpty(): boolean;
  /** Counts a call. `suspend` of the result also ends it. */
  start(): Suspendable;
  /** Resolves when one has ended. */
  untilOneEnds(signal: AbortSignal): Promise<void>;
}

export function openInFlight(): InFlight {
  let count = 0;
  const waiting = new Set<() => void>();
  return {
    isEmpty: () => count === 0,
    start() {
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
    untilOneEnds: (signal) =>
      new Promise((resolve, reject) => {
        const forget = onAbort(signal, () => reject(signal.reason));
        waiting.add(() => {
          forget();
          resolve();
        });
      }),
  };
}
