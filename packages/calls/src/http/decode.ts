import { constants, unzipSync } from 'node:zlib';

const utf8 = new TextDecoder();

/**
 * The text of a body. Some proxies pack everything, asked or not.
 *
 * @param most Bytes of what is unpacked.
 * @throws SyntaxError for what cannot be unpacked.
 */
export function decode(bytes: Buffer, encoding: string | undefined, most: number): string {
  return unpacked(bytes, encoding, () => unzipSync(bytes, { maxOutputLength: most }));
}

/** The same for a body of which only the beginning is there. */
export function decodeStart(bytes: Buffer, encoding: string | undefined, most: number): string {
  return unpacked(bytes, encoding, () =>
    unzipSync(bytes, { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH }),
  );
}

function unpacked(bytes: Buffer, encoding = 'identity', unpack: () => Buffer): string {
  if (!/^(?:x-)?gzip$|^deflate$/i.test(encoding)) return utf8.decode(bytes);
  try {
    return utf8.decode(unpack());
  } catch (cause) {
    throw new SyntaxError('the answer cannot be decompressed', { cause });
  }
}
