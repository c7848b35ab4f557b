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

/** How often what was written is made sure to be on the disk, in milliseconds: what a power cut may cost. */
const SYNC_EVERY = 1000;
const NEWLINE = 0x0a;

/** A file of lines that only grows. */
export interface LineWriter {
  /**
   * Writes a line at once, so that it outlives this process. It is written completely, or the file is as before.
   * @returns where the line is.
   * @throws CriteriaError WRITE_FAILED when it cannot be written, or the file is closed.
   */
  append(line: string): LinePlace;
  /** Makes sure that everything is on the disk, and closes the file. */
  close(): void;
}

/**
 * Opens a file of lines for writing at its end; a last line that was torn by a crash is cut off.
 * @param check Is called before each line is written, and throws when that must not be.
 */
export function openLines(file: string, check = (): void => undefined): LineWriter {
  let size: number;
  let descriptor: number;
  try {
    checkPlain(file);
    descriptor = openOrCreate(file);
    size = cutTornLine(descriptor);
  } catch (error) {
    throw writeFailed(file, error);
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  const sync = (): void => {
    timer = undefined;
    // A failure shows with the next line, or on closing.
    fdatasync(descriptor, () => undefined);
  };
  return {
    append(line) {
      // The number of a closed file may be that of another file by now.
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
    close() {
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

/** Where lines of ordinary length become bytes; each is written before the next. */
const scratch = Buffer.allocUnsafe(64 * 1024);

/** The bytes of a line, at the beginning of a buffer. */
function encoded(line: string): { readonly bytes: Buffer; readonly length: number } {
  // A character has at most three bytes.
  if (3 * line.length >= scratch.length) {
    const bytes = Buffer.from(`${line}\n`);
    return { bytes, length: bytes.length };
  }
  const length = scratch.write(line);
  scratch[length] = NEWLINE;
  return { bytes: scratch, length: length + 1 };
}

/** A folder that came from somebody else may hold a link to any file of ours, or a pipe that is never read. */
function checkPlain(file: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() || found?.isFIFO()) throw new Error('it is a link or a pipe, but must be a regular file');
}

/** Positions are ours, not those of append mode: Windows cannot cut a file that is open for appending. */
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
    // What is left of the line is cut when the file is opened next.
  }
}

/** The size of the file up to its last line break, to which it is cut. */
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
