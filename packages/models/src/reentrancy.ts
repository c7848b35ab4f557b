import { AsyncLocalStorage } from 'node:async_hooks';

/** A resource that a call takes up while it runs: a permit, its time limit, its slot in the budget. */
export interface Suspendable {
  /** Releases the resource, because a nested call starts. May be called again. */
  suspend(): void;
  /** Takes the resource back, because no nested call is running any more. May be called when it was not released. */
  resume(): void | Promise<void>;
}

interface Frame {
  readonly resources: Set<Suspendable>;
  /** The number of nested calls that are running. */
  nested: number;
}

const frames = new AsyncLocalStorage<Frame>();

/**
 * Runs a call that may be nested in another one: a paid service whose `send` asks a model. While a call waits for a nested call,
 * its resources are suspended, so that two calls can never wait for each other.
 */
export async function asCall<T>(work: () => Promise<T>): Promise<T> {
  const outer = frames.getStore();
  const run = () => frames.run({ resources: new Set(), nested: 0 }, work);
  if (outer === undefined) return run();
  outer.nested += 1;
  if (outer.nested === 1) for (const resource of outer.resources) resource.suspend();
  try {
    return await run();
  } finally {
    outer.nested -= 1;
    for (const resource of outer.resources) {
      // Another nested call may have started while the last resource was taken back.
      if (outer.nested === 0) await resource.resume();
    }
  }
}

/** Runs work that takes up a resource, which is suspended while calls inside of it run. */
export async function holding<T>(resource: Suspendable, work: () => Promise<T>): Promise<T> {
  const frame = frames.getStore();
  if (frame === undefined) return work();
  frame.resources.add(resource);
  try {
    return await work();
  } finally {
    frame.resources.delete(resource);
  }
}
