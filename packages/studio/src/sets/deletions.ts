import { randomHex } from '@agent-criteria/calls';
import type { Restored } from '../api.ts';
import { evict } from '../runs/cache.ts';

/** Limit in memory; the last deletion is kept at any size. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST = 100;

export type Deletions = ReturnType<typeof createDeletions>;

/** Recent deletions and replacements that can be undone. */
export function createDeletions() {
  const kept = new Map<string, { readonly size: number; readonly restore: () => Promise<Restored> }>();
  return {
    /** @param size Bytes in memory. @returns An id for requests. */
    keep(size: number, restore: () => Promise<Restored>): string {
      const id = randomHex();
      kept.set(id, { size, restore });
      evict(kept, (one) => one.size, MOST_BYTES);
      evict(kept, () => 1, MOST);
      return id;
    },
    /** `undefined` if it is unknown or too old. */
    find: (id: string) => kept.get(id)?.restore,
    /** Forgets a deletion after it was undone. */
    drop: (id: string) => void kept.delete(id),
  };
}
