import { closeSync, openSync, readSync } from '../node-fs.ts';

const NEWLINE = 0x0a;

/** Counts the complete lines of a file. Returns 0 if there is no such file. */
export function countLines(file: string): number {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return 0;
  }
  try {
    const chunk = Buffer.allocUnsafe(256 * 1024);
    let count = 0;
    for (;;) {
      const read = readSync(descriptor, chunk, 0, chunk.length, null);
      if (read === 0) return count;
      for (let at = chunk.indexOf(NEWLINE); at !== -1 && at < read; at = chunk.indexOf(NEWLINE, at + 1)) count += 1;
    }
  } finally {
    closeSync(descriptor);
  }
}
