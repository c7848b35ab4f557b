import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** Serialises changes of a file, also by different names or links. */
export interface FileLocks {
  with<T>(file: string, work: () => Promise<T>): Promise<T>;
}

/** Locks inside this process. Changes by other processes are detected when a file is saved. */
export function createFileLocks(): FileLocks {
  const last = new Map<string, Promise<unknown>>();
  return {
    async with(name, work) {
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
