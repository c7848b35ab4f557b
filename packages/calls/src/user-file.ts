import { throughDraft } from './write-file-whole.ts';

const { chmodSync, chownSync, lstatSync, readlinkSync, realpathSync, statSync, writeFileSync } =
  process.getBuiltinModule('node:fs');
const { dirname, resolve } = process.getBuiltinModule('node:path');

/** The number of symlinks that Linux follows before it fails. */
const MOST_LINKS = 40;

/**
 * Returns the path at which a user's file is actually written: for a symlink, its target, which need not exist.
 *
 * @throws A file system error, such as `ELOOP` for circular symlinks.
 */
export function userFilePath(file: string): string {
  let path = file;
  for (let links = 0; links < MOST_LINKS; links += 1) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
    // A relative link is resolved from the real path of its folder.
    path = resolve(realpathSync(dirname(path)), readlinkSync(path));
  }
  // Throws ELOOP.
  return realpathSync(path);
}

/**
 * Gives a new file the permissions and owner of the file that it replaces. If the group cannot be kept, the new group
 * gets no more permissions than everyone else had.
 */
export function keepPermissions(from: string, to: string): void {
  const before = statSync(from, { throwIfNoEntry: false });
  if (before === undefined) return;
  const now = statSync(to);
  const owned = now.uid === before.uid && now.gid === before.gid;
  const mode = before.mode & 0o7777;
  chmodSync(to, owned || chowned(to, before) ? mode : (mode & 0o707) | ((mode & 0o007) << 3));
}

function chowned(file: string, { uid, gid }: { readonly uid: number; readonly gid: number }): boolean {
  try {
    chownSync(file, uid, gid);
    return true;
  } catch {
    return false;
  }
}

/**
 * Writes a user's file atomically. A symlink is kept and its target is written. An existing file keeps its permissions.
 *
 * @param options.flush Whether to flush the file to disk first. Default `false`.
 * @throws A file system error.
 */
export function writeUserFile(
  file: string,
  content: string | Uint8Array,
  { flush = false }: { readonly flush?: boolean | undefined } = {},
): void {
  const path = userFilePath(file);
  throughDraft(path, (draft) => {
    // Other users must not be able to read the new file before it has the permissions of the old one.
    const isNew = statSync(path, { throwIfNoEntry: false }) === undefined;
    writeFileSync(draft, content, { mode: isNew ? 0o666 : 0o600, flush, flag: 'wx' });
    keepPermissions(path, draft);
  });
}
