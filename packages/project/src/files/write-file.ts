import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeUserFile } from '@agent-criteria/calls';
import { CriteriaError, type Json } from '@agent-criteria/core';
import { stringifyJson } from '@agent-criteria/formats';
import { pathExists } from './path-kind.ts';

/** Formats JSON as ADK writes it to files. */
export function jsonText(value: Json): string {
  return `${stringifyJson(value, null, 2)}\n`;
}

/**
 * Writes a file atomically, creating folders as needed and preserving links and permissions.
 * @param before The content that the file must still have, as returned by `bytesOf`, or `null` if it must not exist.
 *   Checked at the last moment, so that other programs' changes are not overwritten. Default: any content.
 * @throws CriteriaError WRITE_FAILED.
 */
export async function writeWhole(
  file: string,
  content: string | Uint8Array,
  before?: Uint8Array | null | undefined,
): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    if (before !== undefined && !isSame(before, bytesNow(file))) {
      const message = 'the file has changed since it was read, so nothing was saved: read it again';
      throw new CriteriaError({ code: 'WRITE_FAILED', file, message });
    }
    writeUserFile(file, content);
  } catch (error) {
    if (CriteriaError.is(error)) throw error;
    const message = `this file cannot be written: ${(error as Error).message}`;
    throw new CriteriaError({ code: 'WRITE_FAILED', file, message }, { cause: error });
  }
}

/** Reads the content of a file. Returns `null` if it does not exist or cannot be read. */
export async function bytesOf(file: string): Promise<Uint8Array | null> {
  return readFile(file).catch(() => null);
}

function bytesNow(file: string): Uint8Array | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}

function isSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
}

/**
 * Compares a file with a string. Returns `new` if the file does not exist, `same` if it has this content, and `other`
 * if its content is different.
 */
export async function compareWithFile(file: string, content: string): Promise<'new' | 'same' | 'other'> {
  try {
    return (await readFile(file, 'utf8')) === content ? 'same' : 'other';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'new' : 'other';
  }
}

/**
 * Writes a new file, creating folders as needed. Returns `false` if it already exists. @throws CriteriaError
 * WRITE_FAILED.
 */
export async function writeNew(file: string, content: string | Uint8Array): Promise<boolean> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && (await pathExists(file))) return false;
    const message = `this file cannot be written: ${(error as Error).message}`;
    throw new CriteriaError({ code: 'WRITE_FAILED', file, message }, { cause: error });
  }
}
