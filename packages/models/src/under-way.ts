import { onAbort } from '@agent-criteria/calls';
import type { Hold } from './nesting.ts';

/** Counts the calls that are under way. Those inside of which another one runs do not count. */
export interface UnderWay {
  isEmpty(): boolean;
  /** A call begins. `suspend` of what is given also ends it. */
  begin(): Hold;
  /** Resolves when one has ended. */
  untilOneEnds(signal: AbortSignal): Promise<void>;
}

export function openUnderWay(): UnderWay {
  let count = 0;
  const waiting = new Set<() => void>();

  function wake(): void {
    const all = [...waiting];
    waiting.clear();
    for (const go of all) go();
  }

  return {
    isEmpty: () => count === 0,
    begin() {
      let counts = true;
      count += 1;
      return {
        suspend() {
          if (!counts) return;
          counts = false;
          count -= 1;
          wake();
        },
        resume() {
          if (counts) return;
          counts = true;
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
