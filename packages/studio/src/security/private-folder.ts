import { chmodSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Returns the folder of what a project keeps beside its runs: `.agent-criteria`, unless runs are kept elsewhere. */
export function keptFolder(runsFolder: string): string {
  const above = dirname(resolve(runsFolder));
  return basename(above) === '.agent-criteria' ? above : join(above, '.agent-criteria');
}

/**
 * Creates a folder that only its owner can open and that git ignores, or closes an existing one to others.
 * @throws Error if it cannot be made, or if it belongs to another user or leads elsewhere.
 */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!found.isDirectory()) throw new Error(`${folder} is not a folder`);
  if (!isOwn(found)) throw new Error(`${folder} belongs to another user`);
  if (isOpenToOthers(found)) chmodSync(folder, 0o700);
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Whether a file belongs to the user of this process. Always true on Windows, which has no such numbers. */
export function isOwn({ uid }: { readonly uid: number | bigint }): boolean {
  const own = process.getuid?.();
  return own === undefined || Number(uid) === own;
}

/** Whether other users may do anything with a file. Always false on Windows, which has other permissions. */
export function isOpenToOthers({ mode }: { readonly mode: number | bigint }): boolean {
  return process.platform !== 'win32' && (Number(mode) & 0o077) !== 0;
}
