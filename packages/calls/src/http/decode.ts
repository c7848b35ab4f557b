import { constants, unzipSync } from 'node:zlib';

const utf8 = new TextDecoder();

/**
 * Decodes a body as text. Some proxies compress everything, even unasked.
 *
 * @param most The largest number of decompressed bytes.
 * @param isPartial Whether only the beginning of the body is there. Default false.
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
