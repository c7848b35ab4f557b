import { writeFileWhole } from '@agent-criteria/calls';
import { writeFailed } from './write-failed.ts';

/**
 * Writes a file of a run whole, for its owner alone, or leaves it as it was.
 *
 * @param options.flush As of `writeFileWhole`. Default `false`.
 * @throws CriteriaError WRITE_FAILED.
 */
export function writeWhole(file: string, text: string, options: { readonly flush?: boolean } = {}): void {
  try {
    writeFileWhole(file, text, { mode: 0o600, ...options });
  } catch (error) {
    throw writeFailed(file, error);
  }
}
