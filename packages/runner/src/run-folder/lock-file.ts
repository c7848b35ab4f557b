import { join } from 'node:path';
import { randomHex, sha256 } from '@agent-criteria/calls';
import {
  closeSync,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from '../node-fs.ts';
import { writeFailed } from './write-file.ts';

/** Returns the path of a run folder's lease, with links resolved. */
export function lockFile(folder: string): string {
  try {
    return join(realpathSync(folder), 'lock');
  } catch {
    return join(folder, 'lock');
  }
}

/** The content of a lease and the time of its last renewal. */
export interface SeenLock {
  readonly content: string;
  /** Nanoseconds by the owner's clock, so it can only be used to detect a change. */
  readonly renewedAt: bigint;
}

/** Reads a lease. Returns `null` if there is none. @throws CriteriaError WRITE_FAILED if it cannot be read. */
export function readLock(file: string): SeenLock | null {
  let descriptor: number;
  try {
    // On a shared volume, opening the file makes the client ask the server instead of using its cache.
    descriptor = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw writeFailed(file, error);
  }
  try {
    const { mtimeNs } = fstatSync(descriptor, { bigint: true });
    return { content: readFileSync(descriptor, 'utf8'), renewedAt: mtimeNs };
  } catch (error) {
    throw writeFailed(file, error);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Creates the file atomically with its whole content, by means of a hard link, unless it exists. Returns whether it was
 * created.
 */
export function makeLock(file: string, content: string): boolean {
  const draft = `${file}.${process.pid}.${randomHex()}`;
  try {
    writeFileSync(draft, content, { mode: 0o600 });
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    return makeLockWithoutLinks(file, content);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Creates the file on file systems that do not support hard links. */
function makeLockWithoutLinks(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code === 'ENOSPC') rmSync(file, { force: true });
    throw writeFailed(file, error);
  }
}

/** Returns the path of the claim on a lease with this content. Only one process can create it. */
export function claimOf(file: string, content: string): string {
  return `${file}.${sha256(content).slice(0, 16)}`;
}
