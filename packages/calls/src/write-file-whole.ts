import { randomHex } from './node-crypto.ts';

const { renameSync, rmSync, writeFileSync } = process.getBuiltinModule('node:fs');

/**
 * Writes a file whole, or leaves it as it was: the content goes to a file beside it, which then takes its name. A link of that
 * name is replaced: `writeUserFile` follows it.
 *
 * @param options.flush On the disk before it has its name: a power cut would leave a file of that name without content. Default `false`.
 * @param options.mode Who may read and write it, as for `fs.open`. Default 0o666, less what the process leaves out.
 * @throws What the file system says.
 */
export function writeFileWhole(
  file: string,
  content: string | Uint8Array,
  { flush = false, mode = 0o666 }: { readonly flush?: boolean | undefined; readonly mode?: number | undefined } = {},
): void {
  throughDraft(file, (draft) => writeFileSync(draft, content, { mode, flush, flag: 'wx' }));
}

/** Lets a file beside one be written, which then takes its name. What throws leaves nothing behind. */
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
