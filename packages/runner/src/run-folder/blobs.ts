import { join } from 'node:path';
import { sha256 } from '@agent-criteria/calls';
import { CriteriaError } from '@agent-criteria/core';
import { parseJson, stringifyJson } from '@agent-criteria/formats';
import { mkdirSync, readFileSync, statSync } from '../node-fs.ts';
import { writeFailed, writeWhole } from './write-file.ts';

/** Texts longer than this stand in files of their own: images, long documents. In characters. */
export const LONGEST_TEXT = 64 * 1024;

/** Texts by the hash of their content, one file each. */
export interface Blobs {
  put(text: string): string;
  /** @throws CriteriaError FILE_NOT_FOUND or FILE_UNREADABLE, also when the content does not match its name. */
  get(hash: string): string;
}

/** @param check Is called before each file is written, and throws when that must not be. */
export function openBlobs(folder: string, check = (): void => undefined): Blobs {
  const place = (hash: string) => join(folder, 'blobs', hash);
  const written = new Set<string>();
  let made = false;
  return {
    put(text) {
      const hash = sha256(text);
      const file = place(hash);
      // A crash of the machine can leave a file shorter than it was.
      if (written.has(hash) || sizeOf(file) === Buffer.byteLength(text)) return hash;
      check();
      try {
        if (!made) mkdirSync(join(folder, 'blobs'), { recursive: true, mode: 0o700 });
      } catch (error) {
        throw writeFailed(file, error);
      }
      made = true;
      // Whole or not at all: a reader trusts the name.
      writeWhole(file, text);
      written.add(hash);
      return hash;
    },
    get(hash) {
      // Names come from files that anybody may have written.
      const file = place(/^[0-9a-f]{64}$/.test(hash) ? hash : sha256(String(hash)));
      let text: string;
      try {
        // Opening a pipe would wait for ever.
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

/** A value as JSON, less its long texts, and where those are: by JSON Pointer, the hash of the text. */
export interface SplitValue {
  readonly json: string;
  readonly texts: Readonly<Record<string, string>> | null;
}

/** A value as JSON, with its long texts kept as blobs. */
export function splitTexts(json: string, blobs: Blobs): SplitValue {
  if (json.length <= LONGEST_TEXT) return { json, texts: null };
  const texts: Record<string, string> = Object.create(null);
  const copy = parseJson(json);
  const visit = (parent: Record<string, unknown> | unknown[], pointer: string): void => {
    for (const [key, item] of Object.entries(parent)) {
      const here = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      // Half a character would come back from a file as another.
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

/** The value as it was before `splitTexts`. Changes `value`. */
export function joinTexts<T>(value: T, texts: Readonly<Record<string, string>> | undefined, blobs: Blobs): T {
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
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
