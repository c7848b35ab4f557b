export type Semaphore = ReturnType<typeof createSemaphore>;

/**
 * Creates a semaphore. First come, first served. Acquiring a free permit costs next to nothing, unlike a queue that wraps every
 * task.
 */
export function createSemaphore(permits: number) {
  let free = permits;
  const line: (() => void)[] = [];
  const semaphore = {
    /** Acquires a permit: at once (`undefined`), or when the promise resolves. */
    acquire(): Promise<void> | undefined {
      if (free === 0) return new Promise((resolve) => line.push(resolve));
      free -= 1;
      return undefined;
    },
    /** Passes the permit on to the first in line. */
    release(): void {
      const next = line.shift();
      if (next === undefined) free += 1;
      else next();
    },
    /** Acquires a permit for the duration of some work. */
    async run<T>(work: () => Promise<T>): Promise<T> {
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
