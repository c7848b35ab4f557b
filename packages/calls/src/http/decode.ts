import { constants, unzipSync } from 'node:zlib';

const utf8 = new TextDecoder();

/**
 * Decodes a body as text, decompressing it first if needed: some proxies compress everything, even if not asked to.
 *
 * @param most The maximum size in bytes after decompression.
 * @param isPartial Whether the body is only the beginning of a longer one. Default `false`.
 * @throws SyntaxError if the body cannot be decompressed.
 */
export function decode(bytes: Buffer, encoding: string | undefined, most: number, isPartial = false): string {
  if (!/^(?:x-)?gzip$|^deflate$/i.test(encoding ?? '')) return utf8.decode(bytes);
  const finishFlush = isPartial ? constants.Z_SYNC_FLUSH : undefined;
  try {
    return utf8.decode(unzipSync(bytes, { maxOutputLength: most, finishFlush }));
  } catch (cause) {
    throw new SyntaxError('the answer cannot be decompressed', { cause });
  }
}
