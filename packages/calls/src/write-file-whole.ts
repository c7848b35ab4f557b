import { randomHex } from './node-crypto.ts';

const { renameSync, rmSync, writeFileSync } = process.getBuiltinModule('node:fs');

/**
 * Writes a file atomically: the content goes to a draft next to it, which is then renamed. A symlink at this path is
 * replaced, whereas `writeUserFile` follows it.
 *
 * @param options.flush Whether to flush the file to disk before renaming, so that a power cut cannot leave it empty.
 *   Default `false`.
 * @param options.mode The permissions, as for `fs.open`. Default 0o666, minus the umask.
 * @throws A file system error.
 */
export function writeFileWhole(
  file: string,
  content: string | Uint8Array,
  { flush = false, mode = 0o666 }: { readonly flush?: boolean | undefined; readonly mode?: number | undefined } = {},
): void {
  throughDraft(file, (draft) => writeFileSync(draft, content, { mode, flush, flag: 'wx' }));
}

/** Writes a draft next to a file, and renames it. A failure leaves nothing behind. */
export function throughDraft(file: string, write: (draft: string) => void): void {
  const draft = `${file}.${randomHex()}.tmp`;
  try {
    write(draft);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
