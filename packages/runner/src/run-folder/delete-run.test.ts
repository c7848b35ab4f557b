import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { deleteRun } from './delete-run.ts';
import { takeLease } from './lease.ts';

const run = {
  'a/plan.json': '{}',
  'a/scorings/1/plan.json': '{}',
  'a/blobs/b': 'x',
  'b/plan.json': '{}',
  'c/notes.txt': '',
};

describe('deleteRun', () => {
  it('deletes the folder of a run, and no other', async () => {
    const runs = folderOf(run);
    await deleteRun(join(runs, 'a'), runs);
    expect(existsSync(join(runs, 'a'))).toBe(false);
    expect(existsSync(join(runs, 'b/plan.json'))).toBe(true);
  });

  it('refuses a folder that is not a run, one elsewhere, and a link', async () => {
    const runs = folderOf(run);
    const elsewhere = folderOf(run);
    symlinkSync(join(elsewhere, 'a'), join(runs, 'link'));
    for (const folder of [join(runs, 'c'), join(runs, 'missing'), join(runs, 'link'), join(elsewhere, 'a'), runs]) {
      await expect(deleteRun(folder, runs)).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
    }
    expect(existsSync(join(elsewhere, 'a/blobs/b'))).toBe(true);
    expect(existsSync(join(runs, 'c/notes.txt'))).toBe(true);
  });

  it('refuses a run that a process is writing', async () => {
    const runs = folderOf(run);
    const lease = await takeLease(join(runs, 'a'));
    await expect(deleteRun(join(runs, 'a'), runs)).rejects.toMatchObject({ code: 'RUN_LOCKED' });
    expect(existsSync(join(runs, 'a/blobs/b'))).toBe(true);
    lease.release();
    await deleteRun(join(runs, 'a'), runs);
    expect(existsSync(join(runs, 'a'))).toBe(false);
  });
});
