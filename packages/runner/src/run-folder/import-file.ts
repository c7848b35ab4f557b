import { join } from 'node:path';
import { isObject, parseJson } from '@agent-criteria/formats';
import { existsSync, readdirSync, readFileSync, rmSync } from '../node-fs.ts';
import { FORMAT, layout } from './layout.ts';
import { writeJsonFile } from './plan-file.ts';

/** The contents of `import.json`, which a run folder has until all conversations of an import are in it. */
export interface BegunImport {
  /** Identifies the source and the settings of the import. */
  readonly fingerprint: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** Reads the import that was begun in a folder. Returns `null` if there is none, or one of another version. */
export function readBegunImport(folder: string): BegunImport | null {
  try {
    const value: unknown = parseJson(readFileSync(layout.import(folder), 'utf8'));
    if (!isObject(value) || value.format !== FORMAT) return null;
    const { fingerprint, startedAt } = value;
    return typeof fingerprint === 'string' && typeof startedAt === 'number' ? { fingerprint, startedAt } : null;
  } catch {
    return null;
  }
}

export function writeBegunImport(folder: string, begun: BegunImport): void {
  writeJsonFile(layout.import(folder), { format: FORMAT, ...begun });
}

/** Notes that the import in a folder is complete. */
export function endImport(folder: string): void {
  rmSync(layout.import(folder), { force: true });
}

/**
 * Finds the folder of an import that was cut off, such as by `kill -9` or a power cut.
 *
 * @param fingerprint The same as `saveConversations` was given.
 * @returns `null` if there is none.
 */
export function cutOffFolder(runsFolder: string, fingerprint: string): string | null {
  let names: string[];
  try {
    names = readdirSync(runsFolder);
  } catch {
    return null;
  }
  const folders = names.map((name) => join(runsFolder, name));
  const isIt = (folder: string) =>
    readBegunImport(folder)?.fingerprint === fingerprint && !existsSync(layout.plan(folder));
  return folders.sort().findLast(isIt) ?? null;
}
