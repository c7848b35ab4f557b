import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderOf } from '../../../test/folder.ts';
import { writeFileWhole } from './write-file-whole.ts';

it.each([{}, { flush: true }])('writeFileWhole() replaces the content and leaves no draft: %o', (options) => {
  const folder = folderOf({ 'a.txt': 'before' });
  writeFileWhole(join(folder, 'a.txt'), 'after', { mode: 0o600, ...options });
  writeFileWhole(join(folder, 'b.bin'), Uint8Array.of(1, 2), options);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('after');
  expect([...readFileSync(join(folder, 'b.bin'))]).toEqual([1, 2]);
  expect(readdirSync(folder).sort()).toEqual(['a.txt', 'b.bin']);
  if (process.platform !== 'win32') expect(statSync(join(folder, 'a.txt')).mode & 0o777).toBe(0o600);
});

it('writeFileWhole() leaves no draft after a failure', () => {
  const folder = folderOf({});
  mkdirSync(join(folder, 'taken', 'inside'), { recursive: true });
  expect(() => writeFileWhole(join(folder, 'taken'), 'text')).toThrow();
  expect(() => writeFileWhole(join(folder, 'missing', 'a.txt'), 'text')).toThrow('ENOENT');
  expect(readdirSync(folder)).toEqual(['taken']);
});
