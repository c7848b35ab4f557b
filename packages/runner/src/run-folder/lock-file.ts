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
  unlinkSync,
  writeFileSync,
} from '../node-fs.ts';
import { writeFailed, writeWhole } from './write-file.ts';

/** The file of a lease, by whatever path its folder is named. */
export function lockFile(folder: string): string {
  try {
    return join(realpathSync(folder), 'lock');
  } catch {
    return join(folder, 'lock');
  }
}

/** What the file of a lease says, and when its holder last gave a sign of life. */
export interface SeenLock {
  readonly content: string;
  /** By the holder's clock, in nanoseconds: good for telling whether it has changed, and little else. */
  readonly renewedAt: bigint;
}

/** `null`: there is none. @throws CriteriaError WRITE_FAILED when it cannot be read. */
export function readLock(file: string): SeenLock | null {
  let descriptor: number;
  try {
    // Only what is opened is asked of the server anew, on a volume that several machines share.
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

/** Makes the file, if there is none: a link appears with its whole content or not at all, and never over another. */
export function makeLock(file: string, content: string): boolean {
  const draft = draftOf(file);
  try {
    writeFileSync(draft, content, { mode: 0o600 });
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    return makeWithoutLinks(file, content);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Some file systems have no hard links. */
function makeWithoutLinks(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code === 'ENOSPC') removeQuietly(file);
    throw writeFailed(file, error);
  }
}

export function replaceLock(file: string, content: string): void {
  writeWhole(file, content);
}

/** The file of whoever takes over a lock of this content: only one can make it. */
export function claimOf(file: string, content: string): string {
  return `${file}.${sha256(content).slice(0, 16)}`;
}

function draftOf(file: string): string {
  return `${file}.${process.pid}.${randomHex()}`;
}

function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // It was never made.
  }
}
