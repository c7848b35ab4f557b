import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { listRuns } from '@agent-criteria/runner';

/** Checks that runs can be saved. @throws CriteriaError WRITE_FAILED. */
export async function checkRunsFolder(folder: string): Promise<{ readonly folder: string; readonly count: number }> {
  let place = resolve(folder);
  for (;;) {
    try {
      await access(place, constants.W_OK);
      return { folder, count: listRuns(folder).length };
    } catch (error) {
      const above = dirname(place);
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && above !== place) {
        place = above;
        continue;
      }
      const message = `runs cannot be saved here: ${(error as Error).message}; choose another folder with --runs-folder`;
      throw new CriteriaError({ code: 'WRITE_FAILED', file: folder, message }, { cause: error });
    }
  }
}
