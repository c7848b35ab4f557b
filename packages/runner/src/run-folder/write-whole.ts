import { randomHex } from '@agent-criteria/calls';
import { renameSync, rmSync, writeFileSync } from '../node-fs.ts';
import { writeFailed } from './write-failed.ts';

/**
 * Writes a file whole, or leaves it as it was.
 *
 * @param flush On the disk before it has its name: a power cut would leave a file of that name without content. Default `false`.
 * @throws CriteriaError WRITE_FAILED.
 */
export function writeWhole(file: string, text: string, { flush = false } = {}): void {
  const draft = `${file}.${randomHex()}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flush });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw writeFailed(file, error);
  }
}
