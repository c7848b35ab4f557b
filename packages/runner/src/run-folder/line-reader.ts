import { CriteriaError } from '@agent-criteria/core';
import { parseJson } from '@agent-criteria/formats';
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from '../node-fs.ts';

/** Bytes that are read at once: no more than the file has, and a little to see where it ends, as it may grow. */
const MOST_BYTES = 1024 * 1024;
const FEWEST_BYTES = 1024;
const NEWLINE = 0x0a;

/** Where a line stands in its file. */
export interface LinePlace {
  readonly offset: number;
  readonly length: number;
}

/**
 * Visits every line of a file, parsed. A last line without its line break was torn by a crash, or is being written: it is
 * not there yet. Any other line that is no JSON (a power cut can leave such) is passed over and counted.
 *
 * @param from Where to begin: where a line ended. Default: at the first one.
 * @returns how many lines were passed over; 0 for a file that does not exist.
 * @throws CriteriaError FILE_UNREADABLE when it is no file, or cannot be read.
 */
export function scanLines(file: string, visit: (value: unknown, place: LinePlace) => void, from = 0): number {
  const descriptor = openOrNull(file);
  if (descriptor === null) return 0;
  let broken = 0;
  let pending: Buffer[] = [];
  let start = from;
  let position = from;
  const line = (bytes: Buffer): void => {
    let value: unknown;
    try {
      value = parseJson(bytes.toString('utf8'));
    } catch {
      // No JSON, or longer than a text can be.
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

/** Reads single lines of a file whose places are known. */
export interface LineReader {
  read(place: LinePlace): unknown;
  close(): void;
}

export function readLines(file: string): LineReader {
  let descriptor: number | null = null;
  return {
    read({ offset, length }) {
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
    close() {
      if (descriptor !== null) closeSync(descriptor);
      descriptor = null;
    },
  };
}

function openOrNull(file: string): number | null {
  return existsSync(file) ? openToRead(file) : null;
}

function openToRead(file: string): number {
  try {
    // Opening a pipe would wait for ever.
    if (!statSync(file).isFile()) throw new Error('it is not a regular file');
    return openSync(file, 'r');
  } catch (cause) {
    throw unreadable(file, `it cannot be read: ${(cause as Error).message}`, cause);
  }
}

function unreadable(file: string, message: string, cause?: unknown): CriteriaError {
  return new CriteriaError({ code: 'FILE_UNREADABLE', file, message }, { cause });
}
