import { throughDraft } from './write-file-whole.ts';

const { chmodSync, chownSync, lstatSync, readlinkSync, realpathSync, statSync, writeFileSync } =
  process.getBuiltinModule('node:fs');
const { dirname, resolve } = process.getBuiltinModule('node:path');

/** As many links as Linux follows before it gives up. */
const MOST_LINKS = 40;

/**
 * The path that a file of the user's is written to: where its name is a link, that of the file it leads to, even if that is not
 * there yet.
 * @throws What the file system says: `ELOOP` for links that lead in a circle.
 */
export function userFilePath(file: string): string {
  let path = file;
  for (let links = 0; links < MOST_LINKS; links += 1) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
    // A link that begins with ".." starts where its folder really is.
    path = resolve(realpathSync(dirname(path)), readlinkSync(path));
  }
  // Throws ELOOP.
  return realpathSync(path);
}

/**
 * Gives a new file the permissions and the owner of the one that it is going to replace. Where the group cannot be kept, another
 * group gets no more than everybody had.
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
 * Writes a file of the user's whole, or leaves it as it was. A link stays a link: the file that it leads to is written. A file
 * that is there keeps its permissions.
 *
 * @param options.flush As of `writeFileWhole`. Default `false`.
 * @throws What the file system says.
 */
export function writeUserFile(
  file: string,
  content: string | Uint8Array,
  { flush = false }: { readonly flush?: boolean | undefined } = {},
): void {
  const path = userFilePath(file);
  throughDraft(path, (draft) => {
    // Until it has the permissions of the old file, no other user may read it.
    const isNew = statSync(path, { throwIfNoEntry: false }) === undefined;
    writeFileSync(draft, content, { mode: isNew ? 0o666 : 0o600, flush, flag: 'wx' });
    keepPermissions(path, draft);
  });
}
