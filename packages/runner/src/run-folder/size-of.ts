import { statSync } from '../node-fs.ts';

/** The bytes of a file; 0 for one that is not there. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
