export type Semaphore = ReturnType<typeof createSemaphore>;

/**
 * Creates a first-come, first-served semaphore. Acquiring a free permit costs next to nothing, unlike a queue that
 * wraps every task.
 */
export function createSemaphore(permits: number) {
  let free = permits;
  const line: (() => void)[] = [];
  const semaphore = {
    /** Acquires a permit: immediately (returning `undefined`), or once the promise resolves. */
    acquire(): Promise<void> | undefined {
      if (free === 0) return new Promise((resolve) => line.push(resolve));
      free -= 1;
      return undefined;
    },
    /** Passes the permit to the next waiter. */
    release(): void {
      const next = line.shift();
      if (next === undefined) free += 1;
      else next();
    },
    /** Holds a permit while some work runs. */
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
