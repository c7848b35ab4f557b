import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { findEvalSets, findTestFiles, listEvalSets, parseEvalSetArgument } from './find-files.ts';
import { skippedFiles } from './hidden-eval-data.ts';

describe('findEvalSets', () => {
  it('accepts a file with any name', async () => {
    const file = join(folderOf({ 'cases.json': {} }), 'cases.json');
    expect(await findEvalSets(file)).toEqual([file]);
  });

  it('finds eval sets and test files below a folder, sorted, excluding node_modules', async () => {
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

  it('follows links to files, but not to folders', async () => {
    const folder = folderOf({ 'real.json': {}, 'sub/a.test.json': {} });
    symlinkSync(join(folder, 'real.json'), join(folder, 'linked.evalset.json'));
    symlinkSync(folder, join(folder, 'sub', 'circle'));
    expect(await findEvalSets(folder)).toEqual([
      join(folder, 'linked.evalset.json'),
      join(folder, 'sub', 'a.test.json'),
    ]);
  });

  it('ignores the case of file names', async () => {
    const folder = folderOf({ 'TWO.EVALSET.JSON': {}, 'one.Test.Jsonl': '' });
    expect(await findEvalSets(folder)).toEqual([join(folder, 'TWO.EVALSET.JSON'), join(folder, 'one.Test.Jsonl')]);
    expect(await findTestFiles(folderOf({ 'A.TEST.JSON': {} }))).toHaveLength(1);
  });

  it('lists a named pipe called like an eval set', async ({ skip }) => {
    if (process.platform === 'win32') skip('needs mkfifo');
    const folder = folderOf({ 'a.evalset.json': {} });
    execFileSync('mkfifo', [join(folder, 'b.evalset.json')]);
    expect(await findEvalSets(folder)).toEqual([join(folder, 'a.evalset.json'), join(folder, 'b.evalset.json')]);
  });

  it('rejects a folder without eval sets and a missing path', async () => {
    const folder = folderOf({ 'a.json': {} });
    await expect(findEvalSets(folder)).rejects.toMatchObject({
      code: 'EMPTY',
      message: expect.stringContaining(`${folder}: the folder has no eval set`),
    });
    await expect(findEvalSets(join(folder, 'none'))).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  });
});

describe('findEvalSets with a pattern', () => {
  it('returns matching files, sorted, excluding hidden ones and node_modules', async () => {
    const folder = folderOf({
      'sets/b.json': {},
      'sets/a.evalset.json': {},
      'sets/deep/c.json': {},
      'sets/.hidden/d.json': {},
      'sets/node_modules/e.json': {},
      'sets/notes.md': '',
    });
    symlinkSync(join(folder, 'sets/deep/c.json'), join(folder, 'sets/linked.json'));
    symlinkSync(join(folder, 'sets'), join(folder, 'sets/deep/circle'));
    const found = async (pattern: string) =>
      (await findEvalSets(join(folder, pattern))).map((file) => relative(folder, file).replaceAll('\\', '/'));
    expect(await found('sets/*.json')).toEqual(['sets/a.evalset.json', 'sets/b.json', 'sets/linked.json']);
    expect(await found('sets/**/[bc].json')).toEqual(['sets/b.json', 'sets/deep/c.json']);
    expect(await found('s*/{deep,none}/*')).toEqual(['sets/deep/c.json']);
    await expect(found('sets/*.yaml')).rejects.toMatchObject({
      code: 'FILE_NOT_FOUND',
      message: expect.stringContaining('no file matches this pattern'),
    });
    await expect(found('none/*.json')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  });

  it('prefers an existing path with that name', async () => {
    const folder = folderOf({ '[a].json': {}, 'a.json': {} });
    expect(await findEvalSets(join(folder, '[a].json'))).toEqual([join(folder, '[a].json')]);
  });
});

describe('findEvalSets with an id', () => {
  it("searches the agent's folder", async () => {
    const folder = folderOf({ 'home/agent.ts': '', 'home/first.evalset.json': {}, 'home/second.evalset.json': {} });
    for (const agent of [join(folder, 'home'), join(folder, 'home', 'agent.ts')]) {
      expect(await findEvalSets('first', { agent })).toEqual([join(folder, 'home', 'first.evalset.json')]);
    }
    await expect(findEvalSets('frist', { agent: join(folder, 'home') })).rejects.toMatchObject({
      code: 'FILE_NOT_FOUND',
      message: expect.stringContaining('no eval set of this id; did you mean "first"?'),
    });
  });

  it.each(['../first', '...', '', 'a/b', 'a\\b', '..\\first', 'C:\\sets\\first', 'a\0b'])(
    "never leaves the agent's folder: %j",
    async (id) => {
      const folder = folderOf({ 'home/agent.ts': '', 'first.evalset.json': {} });
      const found = findEvalSets(id, { agent: join(folder, 'home') });
      await expect(found).rejects.toMatchObject({ problems: [{ code: 'FILE_NOT_FOUND', file: id }] });
    },
  );
});

describe('findTestFiles', () => {
  it('returns the test files in a folder at any depth, sorted, excluding other eval sets', async () => {
    const folder = folderOf({ 'b.test.json': {}, 'a.evalset.json': {}, 'x/a.test.json': {}, 'a.test.jsonl': '' });
    expect(await findTestFiles(folder)).toEqual([join(folder, 'b.test.json'), join(folder, 'x', 'a.test.json')]);
    expect(await findTestFiles(join(folder, 'a.evalset.json'))).toEqual([join(folder, 'a.evalset.json')]);
    await expect(findTestFiles(join(folder, 'none'))).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    const none = folderOf({ 'a.evalset.json': {} });
    await expect(findTestFiles(none)).rejects.toMatchObject({ problems: [{ code: 'EMPTY', file: none }] });
  });
});

describe('skippedFiles()', () => {
  it('lists files that look like eval sets or configs but are not read', async () => {
    const folder = folderOf({
      'a.evalset.json': '{',
      'agent-criteria.config.json': '{',
      'data/notes.json': '{ "eval_cases": [',
      'data/eval_config.yaml': 'criteria: {}',
      'data/set.json': { eval_cases: [] },
      'fine/eval_config.json': { criteria: {} },
      'fine/notes.json': { a: 1 },
      'fine/other.yaml': 'a: 1',
      'node_modules/x.json': '{',
      'test_config.json': '{',
    });
    const told = (await skippedFiles((await listEvalSets(folder)).others)).map(({ file, message }) => [
      file?.slice(folder.length + 1),
      message,
    ]);
    expect(told).toEqual([
      ['data/eval_config.yaml', expect.stringContaining('configs are JSON; write it as eval_config.json')],
      ['data/notes.json', expect.stringMatching(/^skipped: this is not JSON/)],
      ['data/set.json', expect.stringContaining('this is an eval set by its content')],
    ]);
  });
});

describe('parseEvalSetArgument', () => {
  it.each([
    ['a.json', 'a.json', []],
    ['a.json:', 'a.json', []],
    ['a.json:one', 'a.json', ['one']],
    ['a.json:one, two ,,', 'a.json', ['one', 'two']],
    ['a.json:a/b:c', 'a.json', ['a/b:c']],
    ['C:\\sets\\a.evalset.json', 'C:\\sets\\a.evalset.json', []],
    ['C:\\sets\\a.evalset.json:case1', 'C:\\sets\\a.evalset.json', ['case1']],
    ['c:/sets/a.evalset.json:case1,case2', 'c:/sets/a.evalset.json', ['case1', 'case2']],
    ['a:case', 'a', ['case']],
  ])('splits %j into path and cases', (argument, path, cases) => {
    expect(parseEvalSetArgument(argument)).toEqual({ path, cases });
  });
});
