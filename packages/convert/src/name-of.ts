import { basename } from 'node:path';

/** Returns the name of a file without its extensions. */
export function nameOf(file: string): string {
  return basename(file).replace(/(?:\.\w{1,9}){1,3}$/, '') || 'conversations';
}
