import { parseJson } from '@agent-criteria/formats';
import { fits, is, type Schema } from '@agent-criteria/formats/schema';
import { readFileSync } from '../node-fs.ts';
import { layout } from './layout.ts';
import { writeJsonFile } from './plan-file.ts';

/** The files whose code a run ran, as far as they are known. */
export interface RunFiles {
  /** One hash of all names and contents. */
  readonly hash: string;
  /**
   * `loaded`: the files that the agents imported or read. `imported`: only the agents' modules, and those that they import by a
   * relative path.
   */
  readonly covers: 'loaded' | 'imported';
  /** The hash of each file's content, or `null` for one that could not be read, by its path relative to the folder for runs. */
  readonly files: Readonly<Record<string, string | null>>;
}

/** Records the files of a run. Agents load files while they run, so a run's files are known at its end. */
export function writeRunFiles(folder: string, files: RunFiles): void {
  writeJsonFile(layout.files(folder), files);
}

const runFiles: Schema<RunFiles> = {
  hash: is.text,
  covers: (value) => value === 'loaded' || value === 'imported',
  files: is.map(is.orNull(is.text)),
};

/** Returns the files of a run, or `null` if they are not known. */
export function readRunFiles(folder: string): RunFiles | null {
  try {
    const found = parseJson(readFileSync(layout.files(folder), 'utf8'));
    return fits(runFiles, found) ? found : null;
  } catch {
    return null;
  }
}
