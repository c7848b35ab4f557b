import { Buffer } from 'node:buffer';

/**
 * Splits a stream of bytes into lines of JSON.
 * @param on Called with the parsed value of each line and its length in bytes.
 * @param most The most bytes of a line.
 * @returns A function that takes the next bytes. It throws a RangeError for a line that is too long, and a SyntaxError for one that is
 *   not JSON.
 */
export function lineReader(on: (value: unknown, bytes: number) => void, most: number): (bytes: Uint8Array) => void {
  let pieces: Uint8Array[] = [];
  let length = 0;
  return (bytes) => {
    let begin = 0;
    for (;;) {
      const end = bytes.indexOf(NEWLINE, begin);
      const piece = bytes.subarray(begin, end === -1 ? undefined : end);
      length += piece.length;
      if (length > most) throw new RangeError(`a message is larger than ${most} bytes`);
      if (piece.length > 0) pieces.push(piece);
      if (end === -1) return;
      const line = Buffer.concat(pieces).toString('utf8');
      const size = length;
      pieces = [];
      length = 0;
      begin = end + 1;
      on(JSON.parse(line), size);
    }
  };
}

const NEWLINE = 10;
