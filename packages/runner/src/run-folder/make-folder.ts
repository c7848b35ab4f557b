import { join } from 'node:path';
import { existsSync, mkdirSync, writeFileSync } from '../node-fs.ts';
import { writeFailed } from './write-failed.ts';

/** Makes the folder of a run: only its owner reads it, and git leaves it alone. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const ignore = join(folder, '.gitignore');
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
  } catch (error) {
    throw writeFailed(folder, error);
  }
}
