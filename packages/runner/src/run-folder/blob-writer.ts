import { join } from 'node:path';
import { openSha256 } from '@agent-criteria/calls';
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from '../node-fs.ts';
import { layout } from './layout.ts';
import { openPlainFile } from './line-writer.ts';
import { writeFailed } from './write-file.ts';

/** The number of characters collected before they are written. */
const BUFFERED = 256 * 1024;
const NEWLINE = 0x0a;

/** Writes a blob of lines piece by piece, for content that does not fit in memory. */
export interface BlobWriter {
  /** The number of lines that an earlier process, which was killed, had written. */
  readonly found: number;
  /** Adds a line, the first after those that were found. */
  add(line: string): void;
  /** Completes the blob and returns its hash. */
  finish(): string;
  /** Removes an incomplete blob. */
  discard(): void;
}

/**
 * Opens the blob of a run's cases for writing, or for continuing. Until it is finished, it has a name that no reader
 * looks for.
 * @param check Called before each write. Throws if this process must not write.
 * @throws CriteriaError WRITE_FAILED.
 */
export function openBlobWriter(folder: string, check: () => void): BlobWriter {
  const blobs = join(folder, 'blobs');
  const file = layout.unfinishedCases(folder);
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
    return openPlainFile(file);
  });
  const { lines: found, end } = attempt(() => readWritten(descriptor, hash));
  let position = end;
  let isFirst = found === 0;
  const flush = (): void => {
    const bytes = Buffer.from(waiting.join(''));
    waiting = [];
    size = 0;
    hash.add(bytes);
    attempt(() => {
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
      }
    });
    position += bytes.length;
  };
  return {
    found,
    add(line) {
      const text = isFirst ? line : `\n${line}`;
      isFirst = false;
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

/** Adds the complete lines of a file to a hash, and cuts the file after the last of them, without its line break. */
function readWritten(descriptor: number, hash: ReturnType<typeof openSha256>) {
  const { size } = fstatSync(descriptor);
  const chunk = Buffer.allocUnsafe(BUFFERED);
  /** Bytes that count once a line break follows them. */
  let waiting: Buffer[] = [];
  let [lines, end, from] = [0, 0, 0];
  while (from < size) {
    const read = readSync(descriptor, chunk, 0, chunk.length, from);
    if (read === 0) break;
    const bytes = Buffer.from(chunk.subarray(0, read));
    const last = bytes.lastIndexOf(NEWLINE);
    if (last === -1) waiting.push(bytes);
    else {
      for (const one of [...waiting, bytes.subarray(0, last)]) hash.add(one);
      for (const byte of bytes) if (byte === NEWLINE) lines += 1;
      end = from + last;
      waiting = [bytes.subarray(last)];
    }
    from += read;
  }
  ftruncateSync(descriptor, end);
  return { lines, end };
}
