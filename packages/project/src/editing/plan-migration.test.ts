import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { planMigration, writeMigration } from './plan-migration.ts';

const old = [{ query: 'Hi', reference: 'Hello' }];

describe('planMigration', () => {
  it('lists the files without writing them', async () => {
    const folder = folderOf({ 'old.json': old });
    const to = join(folder, 'new.test.json');
    const plan = await planMigration({ from: join(folder, 'old.json'), to });
    expect(plan).toMatchObject({ files: [{ to, format: 'old-test', same: false }], left: [], problems: [] });
    expect(existsSync(to)).toBe(false);
    await writeMigration(plan);
    expect(JSON.parse(readFileSync(to, 'utf8')).eval_set_id).toBe('new');
    expect((await planMigration({ from: join(folder, 'old.json'), to })).files[0]?.same).toBe(true);
  });

  it('reports existing files as problems, so that writeMigration writes nothing', async () => {
    const folder = folderOf({ 'a/one.test.json': old, 'a/two.test.json': old, 'b/one.test.json': 'mine' });
    const paths = { from: join(folder, 'a'), to: join(folder, 'b') };
    const plan = await planMigration(paths);
    expect(plan.problems).toMatchObject([{ code: 'USAGE', file: join(folder, 'b/one.test.json') }]);
    await expect(writeMigration(plan)).rejects.toThrow('this file already exists');
    expect(existsSync(join(folder, 'b/two.test.json'))).toBe(false);
    await writeMigration(await planMigration({ ...paths, overwrite: true }));
    expect(existsSync(join(folder, 'b/two.test.json'))).toBe(true);
  });
});
