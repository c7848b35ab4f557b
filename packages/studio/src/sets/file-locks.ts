import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** Serialises changes of a file, also by several of its names or links. */
export interface FileLocks {
  with<T>(file: string, work: () => Promise<T>): Promise<T>;
}

/** Locks of this process. Other processes are noticed by what the file says when it is saved. */
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
    // It is not there yet.
    return resolve(file);
  }
}
