import { join } from 'node:path';
import { openSha256, randomHex } from '@agent-criteria/calls';
import { closeSync, fdatasyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from '../node-fs.ts';
import { writeFailed } from './write-file.ts';

/** The number of characters collected before they are written. */
const BUFFERED = 256 * 1024;

/** Writes a blob piece by piece, for content that does not fit in memory. */
export interface BlobWriter {
  add(text: string): void;
  /** Completes the blob and returns its hash. */
  finish(): string;
  /** Removes an incomplete blob. */
  discard(): void;
}

/**
 * Opens a blob of a run folder for writing. Until it is finished, it has a name that no reader looks for.
 * @param check Called before each write. Throws if this process must not write.
 * @throws CriteriaError WRITE_FAILED.
 */
export function openBlobWriter(folder: string, check: () => void): BlobWriter {
  const blobs = join(folder, 'blobs');
  const file = join(blobs, `${randomHex(8)}.part`);
  const hash = openSha256();
  let waiting: string[] = [];
  let size = 0;
  const attempt = <T>(write: () => T): T => {
    check();
    try {
      return write();
    } catch (error) {
      throw writeFailed(file, error);
    }
  };
  const descriptor = attempt(() => {
    mkdirSync(blobs, { recursive: true, mode: 0o700 });
    return openSync(file, 'wx', 0o600);
  });
  const flush = (): void => {
    const bytes = Buffer.from(waiting.join(''));
    waiting = [];
    size = 0;
    hash.add(bytes);
    attempt(() => {
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    });
  };
  return {
    add(text) {
      waiting.push(text);
      size += text.length;
      if (size >= BUFFERED) flush();
    },
    finish() {
      flush();
      const name = hash.end();
      attempt(() => {
        fdatasyncSync(descriptor);
        closeSync(descriptor);
        renameSync(file, join(blobs, name));
      });
      return name;
    },
    discard() {
      closeSync(descriptor);
      rmSync(file, { force: true });
    },
  };
}
