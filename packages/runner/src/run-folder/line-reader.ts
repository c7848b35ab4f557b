import { CriteriaError } from '@agent-criteria/core';
import { parseJson } from '@agent-criteria/formats';
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from '../node-fs.ts';

/** Bounds on the number of bytes read at once. A file may grow while it is being read. */
const MOST_BYTES = 1024 * 1024;
const FEWEST_BYTES = 1024;
const NEWLINE = 0x0a;

/** The position of a line in its file, in bytes. */
export interface LinePlace {
  readonly offset: number;
  readonly length: number;
}

/**
 * Visits every line of a file, parsed. A last line without a line break is skipped, because it is still being written
 * or was cut short by a crash. Any other line that is not JSON, as can happen after a power cut, is skipped and
 * counted.
 *
 * @param from The offset of the first line to visit. Default 0.
 * @returns The number of lines that are not JSON, or 0 if the file does not exist.
 * @throws CriteriaError FILE_UNREADABLE if it is not a regular file or cannot be read.
 */
export function scanLines(file: string, visit: (value: unknown, place: LinePlace) => void, from = 0): number {
  if (!existsSync(file)) return 0;
  const descriptor = openToRead(file);
  let broken = 0;
  let pending: Buffer[] = [];
  let start = from;
  let position = from;
  const line = (bytes: Buffer): void => {
    let value: unknown;
    try {
      value = parseJson(bytes.toString('utf8'));
    } catch {
      // The line is not JSON, or is longer than a string can be.
      broken += 1;
      return;
    }
    visit(value, { offset: start, length: bytes.length });
  };
  try {
    const { size } = fstatSync(descriptor);
    for (;;) {
      const chunk = Buffer.allocUnsafe(Math.min(Math.max(size - position, FEWEST_BYTES), MOST_BYTES));
      const read = readSync(descriptor, chunk, 0, chunk.length, position);
      if (read === 0) return broken;
      let begin = 0;
      for (;;) {
        const end = chunk.subarray(0, read).indexOf(NEWLINE, begin);
        if (end === -1) break;
        const rest = chunk.subarray(begin, end);
        line(pending.length === 0 ? rest : Buffer.concat([...pending, rest]));
        pending = [];
        begin = end + 1;
        start = position + begin;
      }
      if (begin < read) pending.push(chunk.subarray(begin, read));
      position += read;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Creates a reader of single lines, which are addressed by their position. The file is opened on the first read. */
export function readLines(file: string) {
  let descriptor: number | null = null;
  return {
    read({ offset, length }: LinePlace): unknown {
      descriptor ??= openToRead(file);
      const bytes = Buffer.allocUnsafe(length);
      for (let done = 0; done < length; ) {
        const read = readSync(descriptor, bytes, done, length - done, offset + done);
        if (read === 0) throw unreadable(file, 'it became shorter while it was being read');
        done += read;
      }
      try {
        return parseJson(bytes.toString('utf8'));
      } catch (cause) {
        throw unreadable(file, 'it changed while it was being read', cause);
      }
    },
    close(): void {
      if (descriptor !== null) closeSync(descriptor);
      descriptor = null;
    },
  };
}

function openToRead(file: string): number {
  try {
    // Opening a pipe would block.
    if (!statSync(file).isFile()) throw new Error('it is not a regular file');
    return openSync(file, 'r');
  } catch (cause) {
    throw unreadable(file, `it cannot be read: ${(cause as Error).message}`, cause);
  }
}

function unreadable(file: string, message: string, cause?: unknown): CriteriaError {
  return new CriteriaError({ code: 'FILE_UNREADABLE', file, message }, { cause });
}
