import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** A file system in memory, where Linux has one. */
const MEMORY = '/dev/shm';
const ENOUGH = 2 ** 31;

/** Tests write thousands of small files, and wait until each is kept: in memory they do so in less time than on a disk. */
export default function setup(): (() => void) | undefined {
  if (!hasRoom()) return undefined;
  const folder = mkdtempSync(join(MEMORY, 'agent-criteria-tests-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.env.TMPDIR = folder;
  process.on('exit', remove);
  return remove;
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ENOUGH;
  } catch {
    return false;
  }
}
