import { AsyncLocalStorage } from 'node:async_hooks';

/** What a call takes up while it runs: a place under a limit, its time, a call of the budget. */
export interface Hold {
  /** A call inside of this one begins: what it takes up is given back. May be told when it is given back already. */
  suspend(): void;
  /** No call inside of this one runs any more. May be told when nothing was given back. */
  resume(): void | Promise<void>;
}

interface Frame {
  readonly holds: Set<Hold>;
  /** How many calls run inside of it. */
  inner: number;
}

const frames = new AsyncLocalStorage<Frame>();

/**
 * Runs a call that may be part of another: a paid service whose `send` asks a model. While a call waits for one inside of
 * it, it holds nothing, so no two calls can wait for each other's places.
 */
export async function asCall<T>(work: () => Promise<T>): Promise<T> {
  const outer = frames.getStore();
  const run = () => frames.run({ holds: new Set(), inner: 0 }, work);
  if (outer === undefined) return run();
  outer.inner += 1;
  if (outer.inner === 1) for (const hold of outer.holds) hold.suspend();
  try {
    return await run();
  } finally {
    outer.inner -= 1;
    for (const hold of outer.holds) {
      // Another one may have begun while the last hold came back.
      if (outer.inner === 0) await hold.resume();
    }
  }
}

/** Work that takes something up, for the call that it is part of. */
export async function holding<T>(hold: Hold, work: () => Promise<T>): Promise<T> {
  const frame = frames.getStore();
  if (frame === undefined) return work();
  frame.holds.add(hold);
  try {
    return await work();
  } finally {
    frame.holds.delete(hold);
  }
}
