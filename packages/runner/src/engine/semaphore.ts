/** Limits how many holders there are at once. The others wait in order. */
export interface Semaphore {
  /** Acquires a place: at once (`undefined`), or when the promise resolves. */
  acquire(): Promise<void> | undefined;
  /** Passes the place on to the first in line. */
  release(): void;
  /** Acquires a place for the duration of some work. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Creates a semaphore. A free place costs next to nothing, unlike a queue that wraps every task. */
export function createSemaphore(places: number): Semaphore {
  let free = places;
  const line: (() => void)[] = [];
  const semaphore: Semaphore = {
    acquire() {
      if (free === 0) return new Promise((resolve) => line.push(resolve));
      free -= 1;
      return undefined;
    },
    release() {
      const next = line.shift();
      if (next === undefined) free += 1;
      else next();
    },
    async run(work) {
      await semaphore.acquire();
      try {
        return await work();
      } finally {
        semaphore.release();
      }
    },
  };
  return semaphore;
}
