import { realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { nameInside, pathInside } from './path-inside.ts';

describe('pathInside()', () => {
  it.each([
    ['../secrets.json'],
    ['evals/../../secrets.json'],
    ['evals/..'],
    ['evals/.. /x'],
    ['/etc/passwd'],
    ['//server/share'],
    ['~/x'],
    ['C:/Windows/win.ini'],
    ['C:x'],
    ['\\\\server\\share'],
    ['..\\secrets.json'],
    ['evals\\..\\..\\secrets.json'],
    ['\\\\?\\C:\\x'],
    ['file:///etc/passwd'],
    ['https://example.com/agent'],
    ['home.json:stream'],
    ['.env'],
    ['evals/.git/config'],
    ['node_modules/x/evals.json'],
    ['home.json\0.txt'],
    [''],
  ])('refuses %j', async (path) => {
    const root = realpathSync(folderOf({ 'evals/home.json': {}, '.env': 'KEY=1', 'evals/.git/config': '' }));
    await expect(pathInside(root, path)).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('refuses links that lead out of the project, and follows those within it', async () => {
    const outside = folderOf({ 'secrets.json': {} });
    const root = realpathSync(folderOf({ 'evals/home.json': {} }));
    symlinkSync(join(outside, 'secrets.json'), join(root, 'evals/out.json'));
    symlinkSync(outside, join(root, 'out'));
    symlinkSync(join(root, 'evals'), join(root, 'in'));
    await expect(pathInside(root, 'evals/out.json')).rejects.toThrow('leads out of the project');
    await expect(pathInside(root, 'out/secrets.json')).rejects.toThrow('leads out of the project');
    expect(nameInside(root, await pathInside(root, 'in/home.json'))).toBe('evals/home.json');
  });

  it('finds files and folders, and says if there is none', async () => {
    const root = realpathSync(folderOf({ 'evals/home.json': {} }));
    expect(await pathInside(root, '.')).toBe(root);
    expect(await pathInside(root, './evals/home.json')).toBe(join(root, 'evals', 'home.json'));
    await expect(pathInside(root, 'evals/none.json')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  });
});
