import { AsyncLocalStorage } from 'node:async_hooks';

/** A resource that a call occupies while it runs: a permit, its time limit, its share of the budget. */
export interface Suspendable {
  /** Releases the resource because a nested call starts. May be called repeatedly. */
  suspend(): void;
  /** Takes the resource back because no nested call is running any more. May be called when it was not released. */
  resume(): void | Promise<void>;
}

interface Frame {
  readonly resources: Set<Suspendable>;
  /** The number of nested calls in flight. */
  nested: number;
}

const frames = new AsyncLocalStorage<Frame>();

/**
 * Runs a call that may be nested in another one, such as a model call made by a paid service's `send`. While a call
 * waits for a nested call, its resources are suspended, so that two calls can never deadlock.
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
      // Another nested call may have started while the last resource was being taken back.
      if (outer.nested === 0) await resource.resume();
    }
  }
}

/** Runs work that occupies a resource, which is suspended while nested calls run. */
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
