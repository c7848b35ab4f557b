import { randomHex } from '@agent-criteria/calls';
import type { Restored } from '../api.ts';
import { evict } from '../runs/cache.ts';

/** Limit for memory use; the latest deletion is kept whatever its size. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST = 100;

export type Deletions = ReturnType<typeof createDeletions>;

/** Keeps recent deletions and replacements that can be undone. */
export function createDeletions() {
  const kept = new Map<string, { readonly size: number; readonly restore: () => Promise<Restored> }>();
  return {
    /** @param size Bytes in memory. @returns an id to use in requests. */
    keep(size: number, restore: () => Promise<Restored>): string {
      const id = randomHex();
      kept.set(id, { size, restore });
      evict(kept, (one) => one.size, MOST_BYTES);
      evict(kept, () => 1, MOST);
      return id;
    },
    /** Returns `undefined` if the id is unknown or too old. */
    find: (id: string) => kept.get(id)?.restore,
    /** Forgets a deletion once it has been undone. */
    drop: (id: string) => void kept.delete(id),
  };
}
