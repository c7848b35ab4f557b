import { symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../__fixtures__/folder.ts';
import { findConfig, findEvalSets } from './find-files.ts';

describe('findEvalSets', () => {
  it('takes a file as it is, whatever its name', async () => {
    const file = join(folderOf({ 'cases.json': {} }), 'cases.json');
    expect(await findEvalSets(file)).toEqual([file]);
  });

  it('finds eval sets and test files below a folder, sorted, not those of others', async () => {
    const folder = folderOf({
      'b.evalset.json': {},
      'a.test.json': {},
      'deep/er/c.evalset.json': {},
      'deep/a.evalset.json': {},
      'test_config.json': {},
      'evalset.json': {},
      'd.evalset_result.json': {},
      '.hidden/e.evalset.json': {},
      'node_modules/x/f.evalset.json': {},
      'notes.md': '',
    });
    const found = (await findEvalSets(folder)).map((file) => relative(folder, file).replaceAll('\\', '/'));
    expect(found).toEqual(['a.test.json', 'b.evalset.json', 'deep/a.evalset.json', 'deep/er/c.evalset.json']);
  });

  it('follows links to files, and not to folders, which could lead in circles', async () => {
    const folder = folderOf({ 'real.json': {}, 'sub/a.test.json': {} });
    symlinkSync(join(folder, 'real.json'), join(folder, 'linked.evalset.json'));
    symlinkSync(folder, join(folder, 'sub', 'circle'));
    expect(await findEvalSets(folder)).toEqual([
      join(folder, 'linked.evalset.json'),
      join(folder, 'sub', 'a.test.json'),
    ]);
  });

  it('refuses a folder without any, and a path that is not there', async () => {
    const folder = folderOf({ 'a.json': {} });
    await expect(findEvalSets(folder)).rejects.toMatchObject({
      code: 'EMPTY',
      message: expect.stringContaining(`${folder}: the folder holds no eval set`),
    });
    await expect(findEvalSets(join(folder, 'none'))).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  });
});

describe('findConfig', () => {
  it('finds test_config.json beside the eval set', async () => {
    const folder = folderOf({ 'a.test.json': {}, 'test_config.json': {}, 'other/b.test.json': {} });
    expect(await findConfig(join(folder, 'a.test.json'))).toBe(join(folder, 'test_config.json'));
    expect(await findConfig(join(folder, 'other', 'b.test.json'))).toBeUndefined();
  });

  it('finds a link that leads nowhere: reading it is an error, and never a default', async () => {
    const folder = folderOf({ 'a.test.json': {} });
    symlinkSync(join(folder, 'gone.json'), join(folder, 'test_config.json'));
    expect(await findConfig(join(folder, 'a.test.json'))).toBe(join(folder, 'test_config.json'));
  });
});
