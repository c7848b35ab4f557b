import { closeSync, fstatSync, mkdirSync, openSync, readSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { AnswerSource, Json, Problem } from '@agent-criteria/core';
import { parseJson, stringifyJson } from '@agent-criteria/formats';

const FORMAT = 1;

export type Cache = ReturnType<typeof openCache>;

/** A cached answer. */
interface CachedAnswer {
  readonly answer: Json;
  /** Whether `redact` was applied to the answer before it was cached. */
  readonly isRedacted: boolean;
}

/**
 * Opens a cache of answers, by the keys of their calls. Its folder has sixteen JSON Lines files rather than one file
 * per answer, because creating a file takes longer than the rest of a call. The folder is created along with the first
 * answer. Several processes may share it, because each line is written in a single write.
 */
export function openCache(folder: string) {
  const problems: Problem[] = [];
  let prepared = false;
  const files = new Map<string, ReturnType<typeof openCacheFile>>();
  const fileOf = (key: string) => {
    const name = key.slice(0, 1);
    const file = files.get(name) ?? openCacheFile(join(folder, `${name}.jsonl`));
    files.set(name, file);
    return file;
  };

  /** Creates the folder. Leaves the mode and files of an existing folder alone. */
  function prepare(): void {
    const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (made !== undefined) writeFileSync(join(folder, '.gitignore'), '*\n', { mode: 0o600 });
    prepared = true;
  }

  return {
    /** Resolves with `null` if there is no answer, or only a damaged one. */
    async get(key: string): Promise<CachedAnswer | null> {
      try {
        const kept: unknown = parseJson(fileOf(key).find(key) ?? 'null');
        if (!isStored(kept) || kept.key !== key) return null;
        return { answer: kept.answer, isRedacted: kept.redacted === true };
      } catch {
        return null;
      }
    },
    /** Never rejects. If the cache cannot be written, nothing is stored, and `warnings` reports it. */
    async set(key: string, to: string, answer: Json, isRedacted = false): Promise<void> {
      // Stops after one failure, because a full disk stays full for a while.
      if (problems.length > 0) return;
      try {
        if (!prepared) prepare();
        fileOf(key).add(key, stringifyJson({ format: FORMAT, key, to, ...(isRedacted && { redacted: true }), answer }));
      } catch (error) {
        if (problems.length > 0) return;
        const message = `answers are not cached, because the cache cannot be written: ${(error as Error).message}`;
        problems.push({ code: 'WRITE_FAILED', file: folder, message });
      }
    },
    warnings: (): readonly Problem[] => [...problems],
    /** Closes the files, which stay open after their first use. Later calls reopen them. */
    close(): void {
      for (const file of files.values()) file.close();
    },
  };
}

const HEAD = Buffer.from(`{"format":${FORMAT},"key":"`);
const KEY_LENGTH = 64;
const NEWLINE = 0x0a;
const CLOSING = 0x7d;

/** Opens a file of cache lines by key. The last line for a key wins. */
function openCacheFile(file: string) {
  const lines = new Map<string, { readonly offset: number; readonly length: number }>();
  /** The offset up to which lines are indexed. */
  let known = 0;
  // Kept open, because opening a file takes longer than reading or writing one of its lines.
  let reader: number | undefined;
  let writer: number | undefined;

  function read(offset: number, length: number): Buffer {
    reader ??= openSync(file, 'r');
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readSync(reader, bytes, 0, length, offset));
  }

  function sizeNow(): number {
    if (reader !== undefined) return fstatSync(reader).size;
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Indexes new lines, including those written by other processes. */
  function learn(): void {
    const size = sizeNow();
    if (size < known) {
      lines.clear();
      known = 0;
    }
    if (size === known) return;
    const bytes = read(known, size - known);
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      const length = end - from;
      const start = from + HEAD.length;
      const isWhole = length > HEAD.length + KEY_LENGTH && bytes[end - 1] === CLOSING;
      if (isWhole && bytes.compare(HEAD, 0, HEAD.length, from, start) === 0) {
        lines.set(bytes.toString('latin1', start, start + KEY_LENGTH), { offset: known + from, length });
      }
      from = end + 1;
    }
    known += from;
  }

  return {
    find(key: string): string | undefined {
      if (!lines.has(key)) learn();
      const place = lines.get(key);
      return place === undefined ? undefined : read(place.offset, place.length).toString();
    },
    add(key: string, line: string): void {
      // The existing line must be damaged, otherwise no other would be added.
      lines.delete(key);
      writer ??= openSync(file, 'a', 0o600);
      // A single write, because other processes write too. The previous line may be incomplete after a crash.
      const bytes = Buffer.from(`\n${line}\n`);
      const written = writeSync(writer, bytes);
      if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes could be written`);
    },
    close(): void {
      for (const descriptor of [reader, writer]) if (descriptor !== undefined) closeSync(descriptor);
      reader = undefined;
      writer = undefined;
    },
  };
}

function isStored(
  value: unknown,
): value is { readonly key: string; readonly answer: Json; readonly redacted?: unknown } {
  return (
    typeof value === 'object' && value !== null && 'answer' in value && 'format' in value && value.format === FORMAT
  );
}

/** An answer and its source. */
export interface Given<T> {
  readonly answer: T;
  readonly from: AnswerSource;
  /** The number of requests, unless it was one. */
  readonly requests?: number | undefined;
}
