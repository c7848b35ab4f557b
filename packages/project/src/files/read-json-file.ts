import { type FileHandle, open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import { type JsonText, parseJsonText } from './parse-json-text.ts';
import { didYouMeanPath } from './similar-path.ts';

/** The size limit of eval files: 64 MiB. Larger files are nearly always something else. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Reads a JSON file.
 * @throws CriteriaError FILE_NOT_FOUND, FILE_TOO_LARGE or FILE_UNREADABLE, or as `parseJsonText`, naming the file.
 */
export async function readJsonFile(file: string, maxBytes: number = MAX_FILE_BYTES): Promise<JsonText> {
  return parseJsonText(await readText(file, maxBytes), file);
}

/**
 * Reads a UTF-8 file, without its byte order mark.
 * @throws CriteriaError FILE_NOT_FOUND, FILE_TOO_LARGE, FILE_UNREADABLE or NOT_JSON, naming the file.
 */
export async function readText(file: string, maxBytes: number = MAX_FILE_BYTES): Promise<string> {
  try {
    return await withFile(file, async (handle) => {
      const { size } = await handle.stat();
      if (size > maxBytes) throw tooLarge(file, `${mebibytes(size)} MiB, more than`, maxBytes);
      return decodeUtf8(file, await readAtMost(handle, file, maxBytes));
    });
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

/** Reads up to the limit, because devices and pipes have no size. */
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

/** A line that is not blank. */
export interface JsonLine {
  /** The line number, counted from 1. */
  readonly line: number;
  readonly value: unknown;
}

export interface JsonLines {
  readonly lines: readonly JsonLine[];
  readonly warnings: readonly Problem[];
}

/** A file with more broken lines than this is probably not JSON Lines at all. */
const MOST_BROKEN = 50;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * Reads a JSON Lines file: one value per line, skipping blank lines. The size limit applies to each line, not to the
 * file.
 * @throws CriteriaError as `readJsonFile` does, naming each broken line.
 */
export async function readJsonLines(file: string, maxBytes: number = MAX_FILE_BYTES): Promise<JsonLines> {
  const lines: JsonLine[] = [];
  const warnings: Problem[] = [];
  const problems: Problem[] = [];
  try {
    await withFile(file, async (handle) => {
      for await (const { line, text } of textLines(handle, file, maxBytes)) {
        if (text.trim() === '') continue;
        try {
          const read = parseJsonText(text, file);
          lines.push({ line, value: read.value });
          for (const warning of read.warnings) warnings.push(inLine(warning, line));
        } catch (error) {
          if (!CriteriaError.is(error)) throw error;
          problems.push(...error.problems.map((problem) => inLine(problem, line)));
          if (lines.length === 0 && /^[[{]\s*$/.test(text)) throw wholeValue(file, line, text.trim());
          if (problems.length >= MOST_BROKEN) break;
        }
      }
    });
  } catch (error) {
    throw CriteriaError.is(error) ? error : new CriteriaError(fileProblem(file, error), { cause: error });
  }
  if (problems.length > 0) throw new CriteriaError(problems);
  return { lines, warnings: oneNoteOfSpelling(warnings) };
}

function wholeValue(file: string, line: number, bracket: string): CriteriaError {
  const message = `the line is only ${bracket}, so this looks like one JSON value over several lines: rename the file to .json, or write one case per line`;
  return new CriteriaError({ code: 'NOT_JSON', file, path: `line ${line}`, message });
}

/** Adds the line number to a problem. */
function inLine(problem: Problem, line: number): Problem {
  const message = problem.message
    .replace('line 1, column', 'column')
    .replace(/\bthe file (?=has|ends|goes)/, 'the line ');
  return { ...problem, message, path: problem.path === undefined ? `line ${line}` : `line ${line} ${problem.path}` };
}

/** Reports comments and trailing commas once per file. */
function oneNoteOfSpelling(warnings: readonly Problem[]): readonly Problem[] {
  const first = warnings.find(({ code }) => code === 'NOT_JSON');
  const message =
    'the line has comments or trailing commas: agent-criteria accepts them, but JSON Lines does not allow them';
  return warnings.flatMap((warning) => {
    if (warning.code !== 'NOT_JSON') return [warning];
    return warning === first ? [{ ...warning, message }] : [];
  });
}

async function* textLines(
  handle: FileHandle,
  file: string,
  maxBytes: number,
): AsyncGenerator<{ line: number; text: string }> {
  let line = 1;
  let pending: Buffer[] = [];
  let size = 0;
  const take = (rest: Buffer): { line: number; text: string } => {
    const bytes = pending.length === 0 ? rest : Buffer.concat([...pending, rest]);
    pending = [];
    size = 0;
    const end = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length;
    return { line, text: decodeUtf8(file, bytes.subarray(0, end), `line ${line++}`) };
  };
  for await (const chunk of handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      if (size + end - from > maxBytes) throw tooLarge(file, 'more than', maxBytes, line);
      yield take(chunk.subarray(from, end));
      from = end + 1;
    }
    if (from === chunk.length) continue;
    size += chunk.length - from;
    if (size > maxBytes) throw tooLarge(file, 'more than', maxBytes, line);
    pending.push(chunk.subarray(from));
  }
  if (pending.length > 0) yield take(Buffer.alloc(0));
}

/** Opens a file for reading and closes it. @throws CriteriaError FILE_UNREADABLE for a folder or a named pipe. */
async function withFile<T>(file: string, read: (handle: FileHandle) => Promise<T>): Promise<T> {
  await refusePipe(file);
  const handle = await open(file, 'r');
  try {
    if ((await handle.stat()).isDirectory())
      throw new CriteriaError({ code: 'FILE_UNREADABLE', file, message: 'this is a folder; name a file in it' });
    return await read(handle);
  } finally {
    await handle.close();
  }
}

function tooLarge(file: string, found: string, maxBytes: number, line?: number): CriteriaError {
  const limit = `${found} the limit of ${mebibytes(maxBytes)} MiB`;
  const path = line === undefined ? undefined : `line ${line}`;
  const message =
    line === undefined
      ? `the file has ${limit}; split the eval set, or write JSON Lines (.jsonl)`
      : `the line has ${limit}; each line must be one eval case`;
  return new CriteriaError({ code: 'FILE_TOO_LARGE', file, path, message });
}

/** Decodes UTF-8. @param line The line that the bytes come from, for messages. */
function decodeUtf8(file: string, bytes: Uint8Array, line?: string): string {
  const where = line === undefined ? { file } : { file, path: line };
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new CriteriaError({ code: 'NOT_JSON', ...where, message: 'the file is UTF-16; save it as UTF-8' });
  }
  try {
    // Drops a byte order mark, which some Windows editors write.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CriteriaError({ code: 'NOT_JSON', ...where, message: 'the file is not UTF-8; save it as UTF-8' });
  }
}

/** Describes why a file cannot be read. */
function fileProblem(file: string, error: unknown): Problem {
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

/** Files that the shell passes, such as `<(command)` and standard input, which already have a writer. */
const HAS_WRITER = /^\/(?:dev\/(?:fd\/|stdin$)|proc\/)/;

/**
 * Rejects a named pipe, because opening one blocks until something writes to it, perhaps forever.
 * @throws CriteriaError FILE_UNREADABLE
 */
async function refusePipe(file: string): Promise<void> {
  if (HAS_WRITER.test(resolve(file))) return;
  const stats = await stat(file).catch(() => null);
  if (!stats?.isFIFO()) return;
  const message = 'this is a named pipe, and reading it could block; write its output to a file, and use that';
  throw new CriteriaError({ code: 'FILE_UNREADABLE', file, message });
}
