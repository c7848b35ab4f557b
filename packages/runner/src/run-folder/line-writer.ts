import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  writeSync,
} from '../node-fs.ts';
import type { LinePlace } from './line-reader.ts';
import { writeFailed } from './write-file.ts';

/** Milliseconds between flushes to disk, which bounds how much a power cut can lose. */
const SYNC_EVERY = 1000;
const NEWLINE = 0x0a;

export type LineWriter = ReturnType<typeof openLines>;

/**
 * Opens a file of lines for appending, removing an incomplete last line.
 * @param check Called before each write. Throws if this process must not write.
 */
export function openLines(file: string, check = (): void => undefined) {
  let size: number;
  let descriptor: number;
  try {
    descriptor = openPlainFile(file);
    size = cutTornLine(descriptor);
  } catch (error) {
    throw writeFailed(file, error);
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  const sync = (): void => {
    timer = undefined;
    // A failure is reported by the next write, or on closing.
    fdatasync(descriptor, () => undefined);
  };
  return {
    /**
     * Writes a line immediately, so that it survives the end of this process. A failed write leaves the file unchanged.
     * @returns The position of the line.
     * @throws CriteriaError WRITE_FAILED if it cannot be written or the file is closed.
     */
    append(line: string): LinePlace {
      // A closed file's descriptor may already belong to another file.
      if (closed) throw writeFailed(file, new Error('the run is over'));
      check();
      const { bytes, length } = encoded(line);
      try {
        writeAt(descriptor, bytes, length, size);
      } catch (error) {
        cutTo(descriptor, size);
        throw writeFailed(file, error);
      }
      const place = { offset: size, length: length - 1 };
      size += length;
      timer ??= setTimeout(sync, SYNC_EVERY).unref();
      return place;
    },
    /** Flushes the file to disk and closes it. */
    close(): void {
      closed = true;
      if (timer !== undefined) clearTimeout(timer);
      try {
        fdatasyncSync(descriptor);
      } catch (error) {
        throw writeFailed(file, error);
      } finally {
        closeSync(descriptor);
      }
    },
  };
}

/** A buffer for encoding lines of ordinary length. Each line is written before the next is encoded. */
const scratch = Buffer.allocUnsafe(64 * 1024);

/** Encodes a line, using the shared buffer if it fits. */
function encoded(line: string): { readonly bytes: Buffer; readonly length: number } {
  // A UTF-16 code unit takes at most three bytes.
  if (3 * line.length >= scratch.length) {
    const bytes = Buffer.from(`${line}\n`);
    return { bytes, length: bytes.length };
  }
  const length = scratch.write(line);
  scratch[length] = NEWLINE;
  return { bytes: scratch, length: length + 1 };
}

/**
 * Rejects links and pipes, because a folder from elsewhere may contain a link to any of the user's files, or a pipe
 * that blocks.
 */
function checkPlain(file: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() || found?.isFIFO()) throw new Error('it is a link or a pipe, but must be a regular file');
}

/** Opens a regular file for reading and writing, or creates it. @throws Error for a link or a pipe. */
export function openPlainFile(file: string): number {
  checkPlain(file);
  return openOrCreate(file);
}

/** Opens a file without append mode, because Windows cannot truncate files opened for appending. */
function openOrCreate(file: string): number {
  try {
    return openSync(file, 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return openSync(file, 'wx+', 0o600);
  }
}

function writeAt(descriptor: number, bytes: Buffer, length: number, position: number): void {
  for (let written = 0; written < length; ) {
    written += writeSync(descriptor, bytes, written, length - written, position + written);
  }
}

function cutTo(descriptor: number, size: number): void {
  try {
    ftruncateSync(descriptor, size);
  } catch {
    // The rest of the line is removed the next time the file is opened.
  }
}

/** Truncates a file after its last line break. Returns its size. */
function cutTornLine(descriptor: number): number {
  const { size } = fstatSync(descriptor);
  const chunk = Buffer.alloc(64 * 1024);
  let end = size;
  while (end > 0) {
    const start = Math.max(0, end - chunk.length);
    const read = readSync(descriptor, chunk, 0, end - start, start);
    const newline = chunk.subarray(0, read).lastIndexOf(NEWLINE);
    if (newline !== -1) {
      end = start + newline + 1;
      break;
    }
    end = start;
  }
  if (end < size) ftruncateSync(descriptor, end);
  return end;
}
