import { runStamp } from '@agent-criteria/runner';

/** Removes the oldest entries of a map until the rest weighs at most `most`. The newest one stays at any weight. */
export function evict<T>(kept: Map<string, T>, weigh: (one: T) => number, most: number): void {
  let total = [...kept.values()].reduce((sum, one) => sum + weigh(one), 0);
  for (const [oldest, one] of kept) {
    if (kept.size === 1 || total <= most) break;
    kept.delete(oldest);
    total -= weigh(one);
  }
}

/**
 * Caches what was read of runs until their files change. The most recently used entries stay.
 * @param most Limit of all weights. The weight of an entry is 1 by default.
 */
export function createRunCache<T>(most: number, weigh: (value: T) => number = () => 1) {
  const kept = new Map<string, { readonly stamp: string; readonly value: T }>();
  return {
    /** @param part Distinguishes values of one run. */
    async read(folder: string, part: string, load: () => T | Promise<T>): Promise<T> {
      const key = JSON.stringify([folder, part]);
      // Taken before reading, so that concurrent changes are noticed next time.
      const stamp = runStamp(folder);
      const known = kept.get(key);
      const value = known?.stamp === stamp ? known.value : await load();
      kept.delete(key);
      kept.set(key, { stamp, value });
      evict(kept, (one) => weigh(one.value), most);
      return value;
    },
  };
}
