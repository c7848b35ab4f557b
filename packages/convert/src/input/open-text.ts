import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream';
import { TextDecoder } from 'node:util';
import { createGunzip } from 'node:zlib';
import { CriteriaError } from '@agent-criteria/core';

/** Bytes that are read at once. */
const CHUNK = 256 * 1024;

/**
 * Reads a text file piece by piece: UTF-8, or UTF-16 with or without a byte order mark, also compressed with gzip.
 *
 * @param onBytes Called with the number of bytes of each piece of the file.
 * @param cwd The folder that the name of the file is relative to. Default: the working directory.
 * @throws CriteriaError FILE_NOT_FOUND, FILE_UNREADABLE.
 */
export async function* openText(
  file: string,
  onBytes: (count: number) => void = () => undefined,
  cwd = '',
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  try {
    for await (const bytes of await openBytes(file, resolve(cwd, file), onBytes)) {
      decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
      const text = decoder.decode(bytes, { stream: true });
      if (text !== '') yield text;
    }
    const rest = decoder?.decode() ?? '';
    if (rest !== '') yield rest;
  } catch (error) {
    throw CriteriaError.is(error) ? error : readError(file, error);
  }
}

async function openBytes(
  file: string,
  path: string,
  onBytes: (count: number) => void,
): Promise<AsyncIterable<Uint8Array>> {
  if ((await stat(path)).isDirectory()) throw unreadable(file, 'this is a folder: name its files');
  const pieces = counted(createReadStream(path, { highWaterMark: CHUNK }), onBytes);
  const { value: first } = await pieces.next();
  const whole = chained(first, pieces);
  if (first?.[0] !== 0x1f || first[1] !== 0x8b) return whole;
  // An error of the file also ends the stream that is read.
  return pipeline(whole, createGunzip(), () => undefined);
}

async function* counted(
  source: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array, undefined> {
  for await (const bytes of source) {
    onBytes(bytes.length);
    yield bytes;
  }
}

async function* chained(first: Uint8Array | undefined, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first !== undefined) yield first;
  yield* rest;
}

/** Recognises the encoding by the byte order mark or, without one, by the zero bytes of ASCII in UTF-16. */
function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first !== 0 && second === 0) return 'utf-16le';
  return first === 0 && second !== 0 ? 'utf-16be' : 'utf-8';
}

function readError(file: string, error: unknown): CriteriaError {
  const { code, message, name } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') {
    return new CriteriaError({ code: 'FILE_NOT_FOUND', file, message: 'there is no such file' }, { cause: error });
  }
  const isText = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' || name === 'TypeError';
  const why = isText ? 'it is neither UTF-8 nor UTF-16: save it as UTF-8' : `it cannot be read: ${message}`;
  return unreadable(file, why, error);
}

function unreadable(file: string, message: string, cause?: unknown): CriteriaError {
  return new CriteriaError({ code: 'FILE_UNREADABLE', file, message }, { cause });
}
