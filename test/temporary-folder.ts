import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** An in-memory file system, available on Linux. */
const MEMORY = '/dev/shm';
const ENOUGH = 2 ** 31;

/**
 * Makes tests use an in-memory folder, because they write thousands of small files and wait until each is persisted,
 * which takes longer on a disk.
 */
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
