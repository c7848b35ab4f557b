import { randomHex } from '@agent-criteria/calls';
import type { Restored } from '../api.ts';

/** The last deletions and replacements, and how to undo them. */
export interface Deletions {
  /** @param size Bytes that are kept for it. @returns What requests call it by. */
  keep(size: number, restore: () => Promise<Restored>): string;
  /** `undefined`: there is none, or it is too long ago. */
  find(id: string): (() => Promise<Restored>) | undefined;
  /** It has come back. */
  drop(id: string): void;
}

/** What is kept in memory, at most; the last deletion is kept whatever its size. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST = 100;

/** Until the studio ends. */
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
