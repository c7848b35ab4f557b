import { runStamp } from '@agent-criteria/runner';

/** Removes the oldest entries of a map until the total weight is at most `most`. The newest entry always stays. */
export function evict<T>(kept: Map<string, T>, weigh: (one: T) => number, most: number): void {
  let total = [...kept.values()].reduce((sum, one) => sum + weigh(one), 0);
  for (const [oldest, one] of kept) {
    if (kept.size === 1 || total <= most) break;
    kept.delete(oldest);
    total -= weigh(one);
  }
}

/**
 * Caches values read from runs until their files change. The most recently used entries are kept.
 * @param most Limit for the total weight. By default, each entry weighs 1.
 */
export function createRunCache<T>(most: number, weigh: (value: T) => number = () => 1) {
  const kept = new Map<string, { readonly stamp: string; readonly value: T }>();
  return {
    /** @param part Distinguishes between values of the same run. */
    async read(folder: string, part: string, load: () => T | Promise<T>): Promise<T> {
      const key = JSON.stringify([folder, part]);
      // Taken before reading, so that a concurrent change is noticed next time.
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
