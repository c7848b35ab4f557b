import { AsyncLocalStorage } from 'node:async_hooks';

/** What a call takes up while it runs: a place under a limit, its time, a call of the budget. */
export interface Hold {
  /** A nested call begins, so this call's place is released. May be called after it is already released. */
  suspend(): void;
  /** No nested call is running any more. May be called when no place was released. */
  resume(): void | Promise<void>;
}

interface Frame {
  readonly holds: Set<Hold>;
  /** How many calls run inside of it. */
  inner: number;
}

const frames = new AsyncLocalStorage<Frame>();

/**
 * Runs a call that may be nested in another: a paid service whose `send` asks a model. While a call waits for a nested
 * call, it releases its place, so two calls can never wait for each other.
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
