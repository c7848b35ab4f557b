import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

export type FileLocks = ReturnType<typeof createFileLocks>;

/**
 * Serialises changes of a file in this process, also by different names or links. Changes by other processes are detected when
 * a file is saved.
 */
export function createFileLocks() {
  const last = new Map<string, Promise<unknown>>();
  return {
    async with<T>(name: string, work: () => Promise<T>): Promise<T> {
      const file = realName(name);
      const before = last.get(file) ?? Promise.resolve();
      const mine = before.catch(() => undefined).then(work);
      last.set(file, mine);
      try {
        return await mine;
      } finally {
        if (last.get(file) === mine) last.delete(file);
      }
    },
  };
}

function realName(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // The file does not exist yet.
    return resolve(file);
  }
}
