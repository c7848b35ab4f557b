import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

export type FileLocks = ReturnType<typeof createFileLocks>;

/**
 * Serialises changes to a file within this process, even under different names or through links. Changes by other
 * processes are detected when a file is saved.
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
