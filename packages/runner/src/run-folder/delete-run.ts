import { dirname, join, resolve } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { lstatSync, readdirSync, realpathSync, rmSync } from '../node-fs.ts';
import { layout } from './layout.ts';
import { isWritten, takeLease } from './lease.ts';
import { lockFile } from './lock-file.ts';

/**
 * Deletes the folder of a run, with everything in it.
 *
 * @param runsFolder The folder for runs. Only a run directly inside is deleted, never what a link points to.
 * @throws CriteriaError RUN_NOT_FOUND if the folder is not a run there; RUN_LOCKED if a process is writing to it; WRITE_FAILED.
 */
export async function deleteRun(folder: string, runsFolder: string): Promise<void> {
  const notRun = (message: string) => new CriteriaError({ code: 'RUN_NOT_FOUND', file: folder, message });
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw notRun('there is no run here');
  if (realpathSync(dirname(resolve(folder))) !== realpathSync(runsFolder)) {
    throw notRun(`only runs in the folder for runs, ${runsFolder}, are deleted: delete this folder yourself`);
  }
  if (lstatSync(layout.plan(folder), { throwIfNoEntry: false })?.isFile() !== true) {
    throw notRun('this is not a run, which has a plan.json: nothing is deleted');
  }
  if (isWritten(folder)) {
    const message = 'a process is writing this run: wait until it has ended, or stop it, then delete the run';
    throw new CriteriaError({ code: 'RUN_LOCKED', file: folder, message });
  }
  const lease = await takeLease(folder, {});
  try {
    // First, because a folder without it is no run: what a crash leaves over is never taken for one.
    rmSync(layout.plan(folder));
    const lock = lockFile(folder);
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (path !== lock) rmSync(path, { recursive: true, force: true });
    }
  } catch (error) {
    const message = `cannot be deleted: ${(error as Error).message}`;
    throw new CriteriaError({ code: 'WRITE_FAILED', file: folder, message }, { cause: error });
  } finally {
    lease.release();
  }
  rmSync(folder, { recursive: true, force: true });
}
