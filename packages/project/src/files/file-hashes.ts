import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { openSha256, sha256 } from '@agent-criteria/calls';

/** The hash of the content of files, by path; `null` for a file that could not be read. */
export type FileHashes = ReadonlyMap<string, string | null>;

/** Returns the hash of a file's content now, or `null` if it cannot be read. */
export function hashOfFile(file: string): string | null {
  try {
    const hash = openSha256();
    hash.add(readFileSync(file));
    return hash.end();
  } catch {
    return null;
  }
}

/** Returns one hash of all names and contents, the same on every machine. @param folder The folder that names are relative to. */
export function hashOfFiles(files: FileHashes, folder: string): string {
  const lines = [...files].map(([file, hash]) => JSON.stringify([relative(folder, file).replaceAll(sep, '/'), hash]));
  return sha256(lines.sort().join('\n'));
}

/** Returns the files whose content has changed since. */
export function changedFiles(files: FileHashes): readonly string[] {
  return [...files].flatMap(([file, hash]) => (hashOfFile(file) === hash ? [] : [file]));
}
