import { randomHex } from '@agent-criteria/calls';
import type { Restored } from '../api.ts';

/** Recent deletions and replacements that can be undone. */
export interface Deletions {
  /** @param size Bytes in memory. @returns An id for requests. */
  keep(size: number, restore: () => Promise<Restored>): string;
  /** `undefined` if it is unknown or too old. */
  find(id: string): (() => Promise<Restored>) | undefined;
  /** Forgets a deletion after it was undone. */
  drop(id: string): void;
}

/** Limit in memory; the last deletion is kept at any size. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST = 100;

export function createDeletions(): Deletions {
  const kept = new Map<string, { readonly size: number; readonly restore: () => Promise<Restored> }>();
  return {
    keep(size, restore) {
      const id = randomHex();
      kept.set(id, { size, restore });
      let total = [...kept.values()].reduce((sum, one) => sum + one.size, 0);
      for (const [oldest, one] of kept) {
        if (kept.size === 1 || (kept.size <= MOST && total <= MOST_BYTES)) break;
        kept.delete(oldest);
        total -= one.size;
      }
      return id;
    },
    find: (id) => kept.get(id)?.restore,
    drop: (id) => void kept.delete(id),
  };
}
