import { join } from 'node:path';

/**
 * Tests start many processes on the same sources, and load TypeScript files as users do. Each source is compiled once,
 * until it changes.
 */
export default function setup(): void {
  process.env.NODE_COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/tests');
}
