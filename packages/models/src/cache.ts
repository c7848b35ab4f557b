import { closeSync, fstatSync, mkdirSync, openSync, readSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { AnswerSource, Json, Problem } from '@agent-criteria/core';
import { parseJson, stringifyJson } from '@agent-criteria/formats';
import type { SecretMask } from '@agent-criteria/masking';
import { type Answers, masked, redacted } from './answers.ts';
import type { Attempt } from './attempt.ts';
import { callDefaults } from './defaults.ts';

const FORMAT = 1;

/** Answers by the keys of their calls, in a folder of sixteen files of lines: to make a file for each takes longer than the rest of a call. */
export interface Cache {
  readonly folder: string;
  /** `null`: there is none, or it is damaged. */
  get(key: string): Promise<Json | null>;
  /** Never rejects: a cache that cannot be written keeps nothing, and `warnings` says so. */
  set(key: string, to: string, answer: Json): Promise<void>;
  warnings(): readonly Problem[];
  /** Lets go of the files, which stay open from their first use. It may be used again, and opens them again. */
  close(): void;
}

/** Makes nothing before the first answer is kept. Any number of processes may share a folder: each line is written at once. */
export function openCache(folder: string = callDefaults.cache): Cache {
  const problems: Problem[] = [];
  let prepared = false;
  const shelves = new Map<string, Shelf>();
  const shelfOf = (key: string): Shelf => {
    const name = key.slice(0, 1);
    const shelf = shelves.get(name) ?? openShelf(join(folder, `${name}.jsonl`));
    shelves.set(name, shelf);
    return shelf;
  };

  /** A folder that was there belongs to somebody: its mode and its files stay as they are. */
  function prepare(): void {
    const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (made !== undefined) writeFileSync(join(folder, '.gitignore'), '*\n', { mode: 0o600 });
    prepared = true;
  }

  return {
    folder,
    async get(key) {
      try {
        const kept: unknown = parseJson(shelfOf(key).find(key) ?? 'null');
        return isKept(kept) && kept.key === key ? kept.answer : null;
      } catch {
        return null;
      }
    },
    async set(key, to, answer) {
      // One failure is enough: a full disk stays full for a while.
      if (problems.length > 0) return;
      try {
        if (!prepared) prepare();
        shelfOf(key).add(key, stringifyJson({ format: FORMAT, key, to, answer }));
      } catch (error) {
        if (problems.length > 0) return;
        const message = `answers are not cached, because the cache cannot be written: ${(error as Error).message}`;
        problems.push({ code: 'WRITE_FAILED', file: folder, message });
      }
    },
    warnings: () => [...problems],
    close() {
      for (const shelf of shelves.values()) shelf.close();
    },
  };
}

/** Lines of a file by the key that stands in them; of two for one key the later one. */
interface Shelf {
  find(key: string): string | undefined;
  add(key: string, line: string): void;
  close(): void;
}

const HEAD = Buffer.from(`{"format":${FORMAT},"key":"`);
const KEY_LENGTH = 64;
const NEWLINE = 0x0a;
const CLOSING = 0x7d;

function openShelf(file: string): Shelf {
  const places = new Map<string, { readonly offset: number; readonly length: number }>();
  /** Up to here its lines are known. */
  let known = 0;
  // To open a file takes longer than to read or write a line of it.
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

  /** Learns the lines that are new since, also those of other processes. */
  function learn(): void {
    const size = sizeNow();
    if (size < known) {
      places.clear();
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
        places.set(bytes.toString('latin1', start, start + KEY_LENGTH), { offset: known + from, length });
      }
      from = end + 1;
    }
    known += from;
  }

  return {
    find(key) {
      if (!places.has(key)) learn();
      const place = places.get(key);
      return place === undefined ? undefined : read(place.offset, place.length).toString();
    },
    add(key, line) {
      // What was there was damaged, or nobody would add another.
      places.delete(key);
      writer ??= openSync(file, 'a', 0o600);
      // At once, as others write, too. What stands before it may be a line that a crash has torn.
      const bytes = Buffer.from(`\n${line}\n`);
      const written = writeSync(writer, bytes);
      if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes could be written`);
    },
    close() {
      for (const descriptor of [reader, writer]) if (descriptor !== undefined) closeSync(descriptor);
      reader = undefined;
      writer = undefined;
    },
  };
}

function isKept(value: unknown): value is { readonly key: string; readonly answer: Json } {
  return (
    typeof value === 'object' && value !== null && 'answer' in value && 'format' in value && value.format === FORMAT
  );
}

interface Kept<T> {
  readonly cache: Cache;
  readonly key: string;
  readonly to: string;
  readonly answers: Answers<T>;
  /** Takes secrets out before. Default: they stay. */
  readonly mask?: SecretMask | null | undefined;
  /** Changes what is kept, and the run goes on with it, as it will the next time. */
  readonly redact?: ((answer: Json) => Json) | undefined;
}

/** The cached answer for the key, else the result of the attempt, which is cached if it is complete. */
export async function cached<T>(
  { cache, key, to, answers, mask, redact }: Kept<T>,
  attempt: Attempt<Given<T>>,
  signal: AbortSignal,
): Promise<Given<T>> {
  const kept = await cache.get(key);
  const answer = kept === null ? null : answers.unpack(kept);
  if (answer !== null) return { answer, from: 'cache' };
  signal.throwIfAborted();
  const given = await attempt(signal);
  if (!answers.isWhole(given.answer)) return given;
  const bare = answers.pack(given.answer);
  const packed = mask ? masked(bare, mask) : bare;
  if (redact === undefined) {
    await cache.set(key, to, packed);
    return packed === bare ? given : { ...given, answer: answers.unpack(packed) ?? given.answer };
  }
  const safe = redacted(packed, answers, redact);
  await cache.set(key, to, safe.packed);
  return { ...given, answer: safe.answer };
}

/** An answer and where it came from. */
export interface Given<T> {
  readonly answer: T;
  readonly from: AnswerSource;
  /** How many requests were sent for it now, where that was not one. */
  readonly requests?: number | undefined;
}
