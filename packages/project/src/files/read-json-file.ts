import { type FileHandle, open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import { type JsonText, parseJsonText } from './parse-json-text.ts';
import { didYouMeanPath } from './similar-path.ts';

/** The largest eval file that is read: 64 MiB. Larger ones are nearly always something else. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Reads a JSON file.
 * @throws CriteriaError FILE_NOT_FOUND, FILE_TOO_LARGE, FILE_UNREADABLE or NOT_JSON, naming the file.
 */
export async function readJsonFile(file: string, maxBytes: number = MAX_FILE_BYTES): Promise<JsonText> {
  return parseJsonText(await readText(file, maxBytes), file);
}

/**
 * Reads a file of UTF-8, less a byte order mark.
 * @throws CriteriaError FILE_NOT_FOUND, FILE_TOO_LARGE, FILE_UNREADABLE or NOT_JSON, naming the file.
 */
export async function readText(file: string, maxBytes: number = MAX_FILE_BYTES): Promise<string> {
  await refusePipe(file);
  try {
    const handle = await open(file, 'r');
    try {
      const stats = await handle.stat();
      if (stats.isDirectory())
        throw new CriteriaError({ code: 'FILE_UNREADABLE', file, message: 'this is a folder; name a file in it' });
      if (stats.size > maxBytes) throw tooLarge(file, `${mebibytes(stats.size)} MiB, more than`, maxBytes);
      return decodeUtf8(file, await readAtMost(handle, file, maxBytes));
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (CriteriaError.is(error)) throw error;
    const problem = fileProblem(file, error);
    const near = problem.code === 'FILE_NOT_FOUND' ? await didYouMeanPath(file, isJson) : '';
    throw new CriteriaError({ ...problem, message: problem.message + near }, { cause: error });
  }
}

function isJson(path: string): boolean {
  return /\.jsonl?$/i.test(path);
}

/** Devices and pipes have no size. */
async function readAtMost(handle: FileHandle, file: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of handle.createReadStream({ autoClose: false })) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(file, 'more than', maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function tooLarge(file: string, found: string, maxBytes: number, line?: number): CriteriaError {
  const limit = `${found} the limit of ${mebibytes(maxBytes)} MiB`;
  const path = line === undefined ? undefined : `line ${line}`;
  const message =
    line === undefined
      ? `the file has ${limit}; split the eval set, or write JSON Lines (.jsonl)`
      : `the line has ${limit}; each line must be one eval case`;
  return new CriteriaError({ code: 'FILE_TOO_LARGE', file, path, message });
}

/** @param line The line that the bytes are, for messages. */
export function decodeUtf8(file: string, bytes: Uint8Array, line?: string): string {
  const where = line === undefined ? { file } : { file, path: line };
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new CriteriaError({ code: 'NOT_JSON', ...where, message: 'the file is UTF-16; save it as UTF-8' });
  }
  try {
    // Drops a byte order mark, which some editors on Windows write.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CriteriaError({ code: 'NOT_JSON', ...where, message: 'the file is not UTF-8; save it as UTF-8' });
  }
}

/** The problem of a file that cannot be read. */
export function fileProblem(file: string, error: unknown): Problem {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return { code: 'FILE_NOT_FOUND', file, message: 'there is no such file' };
  if (code === 'EACCES' || code === 'EPERM')
    return { code: 'FILE_UNREADABLE', file, message: 'no permission to read this file' };
  return { code: 'FILE_UNREADABLE', file, message: `cannot read this file: ${(error as Error).message}` };
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / (1024 * 1024));
}

/** Files that the shell passes, such as `<(command)` and standard input, already have a writer. */
const HAS_WRITER = /^\/(?:dev\/(?:fd\/|stdin$)|proc\/)/;

/**
 * Refuses a named pipe: to open one waits until something writes to it, maybe for ever.
 * @throws CriteriaError FILE_UNREADABLE
 */
export async function refusePipe(file: string): Promise<void> {
  if (HAS_WRITER.test(resolve(file))) return;
  const stats = await stat(file).catch(() => null);
  if (!stats?.isFIFO()) return;
  const message = 'this is a named pipe, and reading it could block; write its output to a file, and use that';
  throw new CriteriaError({ code: 'FILE_UNREADABLE', file, message });
}
