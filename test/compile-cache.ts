import { join } from 'node:path';

/**
 * Enables the compile cache. Tests start many processes on the same sources, and load TypeScript files as users do, so
 * that each source is compiled only once until it changes.
 */
export default function setup(): void {
  process.env.NODE_COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/tests');
}
