import { basename, dirname, relative, resolve, sep } from 'node:path';
import { isUrl, type RunFiles, readRunFiles, writeRunFiles } from '@agent-criteria/runner';
import { rootOf } from '../files/code-root.ts';
import { type FileHashes, hashOfFile, hashOfFiles } from '../files/file-hashes.ts';
import { moduleGraph } from './module-graph.ts';

/** The largest number of files to record. */
const MOST = 5000;

/** Returns the hashes of the modules of agents, and of those that they import by a relative path. */
export async function importedFiles(agents: readonly string[]): Promise<FileHashes> {
  const hashes = new Map<string, string | null>();
  for (const agent of agents) {
    if (isUrl(agent)) continue;
    for (const file of moduleGraph(agent, await rootOf(agent))) hashes.set(file, hashOfFile(file));
  }
  return hashes;
}

/**
 * Records the files whose code a run ran. If the run was resumed, files keep their first hash: its first results come from
 * that code. `.env` files are left out, because a hash could give away a short secret.
 */
export function recordFiles(folder: string, covers: RunFiles['covers'], hashes: FileHashes): void {
  const runsFolder = dirname(resolve(folder));
  const files = [...hashes].filter(([file]) => !basename(file).startsWith('.env')).slice(0, MOST);
  if (files.length === 0) return;
  const before = readRunFiles(folder);
  const now = Object.fromEntries(files.map(([file, hash]) => [nameOf(file, runsFolder), hash]));
  const all = { ...now, ...before?.files };
  const absolute = new Map(Object.entries(all).map(([name, hash]) => [resolve(runsFolder, name), hash]));
  writeRunFiles(folder, { hash: hashOfFiles(absolute, runsFolder), covers, files: all });
}

function nameOf(file: string, runsFolder: string): string {
  return relative(runsFolder, file).replaceAll(sep, '/');
}

/**
 * Whether files whose code a run ran differ from those on disk now. Returns `null` if its files are not known, or none of
 * them is here.
 *
 * @param hashOf Returns the hash of a file, or `null` if it cannot be read. Default: it is read. Give one that remembers
 *   hashes to ask about many runs.
 */
export function isOfOlderCode(folder: string, hashOf: (file: string) => string | null = hashOfFile): boolean | null {
  const known = readRunFiles(folder);
  if (known === null) return null;
  const files = Object.entries(known.files).map(([name, hash]) => ({
    hash,
    now: hashOf(resolve(dirname(resolve(folder)), name)),
  }));
  // The run comes from another machine, or the project has moved.
  if (files.every(({ now }) => now === null)) return null;
  return files.some(({ hash, now }) => hash !== now);
}

/** Returns a function like `hashOfFile` that reads each file once. */
export function rememberedHashes(): (file: string) => string | null {
  const known = new Map<string, string | null>();
  return (file) => {
    const before = known.get(file);
    // A file that cannot be read is remembered, too.
    if (before !== undefined) return before;
    const hash = hashOfFile(file);
    known.set(file, hash);
    return hash;
  };
}
