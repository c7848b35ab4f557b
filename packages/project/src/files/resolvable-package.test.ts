import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { resolveFrom } from './import-module.ts';
import { mayResolve } from './resolvable-package.ts';

const files = {
  'package.json': '{ "name": "@me/own", "type": "module", "exports": { "./pure": "./pure.js" } }',
  'pure.js': '',
  'node_modules/oven/pure.js': '',
  'node_modules/@me/tools/pure.js': '',
  'inner/node_modules/.keep': '',
  'damaged/package.json': '{',
  'elsewhere/lid/pure.js': '',
};
const from = (folder: string, path: string) => join(folder, path, 'importer.js');

it.each([
  ['oven/pure', 'inner', true],
  ['@me/tools/pure', 'inner', true],
  ['@me/own/pure', 'inner', true],
  ['@me/absent/pure', 'inner', false],
  ['absent/pure', 'inner', false],
  ['@me/own/pure', 'damaged', false],
])('mayResolve agrees with resolveFrom for %s from %s: %s', async (specifier, path, expected) => {
  const folder = folderOf(files);
  expect(mayResolve(specifier, from(folder, path))).toBe(expected);
  expect((await resolveFrom(specifier, join(folder, path))) !== undefined).toBe(expected);
});

it.each([
  'oven',
  '@me/absent',
  './a/b.js',
  '../a/b',
  '/a/b',
  'file:///a/b',
  '#own/x',
  'node:fs/promises',
  'fs/promises',
])('mayResolve returns true for %s, which is not a subpath of a package', (specifier) => {
  expect(mayResolve(specifier, from(folderOf(files), 'inner'))).toBe(true);
});

it('mayResolve searches the folders in NODE_PATH', () => {
  const folder = folderOf(files);
  const code = `import(${JSON.stringify(new URL('resolvable-package.ts', import.meta.url).href)}).then(({ mayResolve }) =>
    console.log(mayResolve('lid/pure', ${JSON.stringify(from(folder, 'inner'))})))`;
  const args = ['--no-warnings', '--eval', code];
  const env = { ...process.env, NODE_PATH: join(folder, 'elsewhere') };
  expect(execFileSync(process.execPath, args, { encoding: 'utf8', env })).toBe('true\n');
});
