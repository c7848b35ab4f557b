import { join } from 'node:path';
import { sha256 } from '@agent-criteria/calls';
import { CriteriaError } from '@agent-criteria/core';
import { parseJson, stringifyJson } from '@agent-criteria/formats';
import { mkdirSync, readFileSync, statSync } from '../node-fs.ts';
import { writeFailed, writeWhole } from './write-file.ts';

/** The length in characters above which a string, such as an encoded image, is stored in its own file. */
export const LONGEST_TEXT = 64 * 1024;

export type Blobs = ReturnType<typeof openBlobs>;

/**
 * Creates the store for a run's long strings, each in a file named after the hash of its content.
 * @param check Called before each write. Throws if this process must not write.
 */
export function openBlobs(folder: string, check = (): void => undefined) {
  const fileOf = (hash: string) => join(folder, 'blobs', hash);
  const written = new Set<string>();
  let made = false;
  return {
    /** Stores a string and returns its hash. */
    put(text: string): string {
      const hash = sha256(text);
      const file = fileOf(hash);
      // After a power cut, the file may be truncated.
      if (written.has(hash) || sizeOf(file) === Buffer.byteLength(text)) return hash;
      check();
      try {
        if (!made) mkdirSync(join(folder, 'blobs'), { recursive: true, mode: 0o700 });
      } catch (error) {
        throw writeFailed(file, error);
      }
      made = true;
      // Write atomically, because readers trust the name.
      writeWhole(file, text);
      written.add(hash);
      return hash;
    },
    /**
     * Returns a stored string.
     * @throws CriteriaError FILE_NOT_FOUND, or FILE_UNREADABLE if the content does not match its name.
     */
    get(hash: string): string {
      // The hash may come from a file that was tampered with.
      const file = fileOf(/^[0-9a-f]{64}$/.test(hash) ? hash : sha256(String(hash)));
      let text: string;
      try {
        // Opening a pipe would block.
        if (!statSync(file).isFile()) throw new Error('not a regular file');
        text = readFileSync(file, 'utf8');
      } catch (cause) {
        const message = 'a part of this run is missing; was the folder copied without its blobs?';
        throw new CriteriaError({ code: 'FILE_NOT_FOUND', file, message }, { cause });
      }
      if (sha256(text) === hash) return text;
      throw new CriteriaError({ code: 'FILE_UNREADABLE', file, message: 'the content does not match its name' });
    },
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? -1;
}

/** Hashes of long strings, each by the JSON Pointer to where it was. */
export type TextHashes = Readonly<Record<string, string>>;

/**
 * Moves the long strings of a JSON value into blobs. Returns the remaining JSON and the strings' hashes, or `null` if
 * there were none.
 */
export function splitTexts(json: string, blobs: Blobs): { readonly json: string; readonly texts: TextHashes | null } {
  if (json.length <= LONGEST_TEXT) return { json, texts: null };
  const texts: Record<string, string> = Object.create(null);
  const copy = parseJson(json);
  const visit = (parent: Record<string, unknown> | unknown[], pointer: string): void => {
    for (const [key, item] of Object.entries(parent)) {
      const here = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      // UTF-8 cannot represent lone surrogates.
      if (typeof item === 'string' && item.length > LONGEST_TEXT && !/\p{Surrogate}/u.test(item)) {
        texts[here] = blobs.put(item);
        (parent as Record<string, unknown>)[key] = '';
      } else if (typeof item === 'object' && item !== null) {
        visit(item as Record<string, unknown>, here);
      }
    }
  };
  visit(copy, '');
  if (Object.keys(texts).length === 0) return { json, texts: null };
  return { json: stringifyJson(copy), texts };
}

/** Restores the long strings that `splitTexts` moved out, by modifying `value`. */
export function joinTexts<T>(value: T, texts: TextHashes | undefined, blobs: Blobs): T {
  if (texts === undefined) return value;
  for (const [pointer, hash] of Object.entries(texts)) {
    const keys = pointer
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = keys.pop() ?? '';
    let parent: unknown = value;
    for (const key of keys) parent = own(parent, key);
    if (typeof own(parent, last) === 'string') (parent as Record<string, unknown>)[last] = blobs.get(hash);
  }
  return value;
}

function own(value: unknown, key: string): unknown {
  const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  return isOwn ? (value as Record<string, unknown>)[key] : undefined;
}
