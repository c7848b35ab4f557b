import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../test/folder.ts';
import { userFilePath, writeUserFile } from './user-file.ts';

const modeOf = (file: string) => statSync(file).mode & 0o7777;

describe.skipIf(process.platform === 'win32')('user files', () => {
  it.each([0o600, 0o640, 0o664, 0o666, 0o755, 0o400])(
    'writeUserFile() keeps the permissions %o of an existing file',
    (mode) => {
      const folder = folderOf({ 'a.json': 'before' });
      const file = join(folder, 'a.json');
      chmodSync(file, mode);
      writeUserFile(file, 'after');
      expect(readFileSync(file, 'utf8')).toBe('after');
      expect(modeOf(file)).toBe(mode);
      expect(readdirSync(folder)).toEqual(['a.json']);
    },
  );

  it('writeUserFile() creates a file with the default permissions of the process', () => {
    const folder = folderOf({});
    writeUserFile(join(folder, 'a.json'), 'text', { flush: true });
    expect(modeOf(join(folder, 'a.json'))).toBe(0o666 & ~process.umask());
  });

  it('writeUserFile() writes to the target of a symlink, even through several links and from another folder', () => {
    const folder = folderOf({ 'real/deep/a.json': 'before' });
    chmodSync(join(folder, 'real/deep/a.json'), 0o600);
    mkdirSync(join(folder, 'here'));
    symlinkSync('deep', join(folder, 'real/linked'));
    symlinkSync('../real/linked/a.json', join(folder, 'here/one.json'));
    symlinkSync('one.json', join(folder, 'here/two.json'));
    symlinkSync(join(folder, 'here/two.json'), join(folder, 'three.json'));
    writeUserFile(join(folder, 'three.json'), 'after');
    expect(readFileSync(join(folder, 'real/deep/a.json'), 'utf8')).toBe('after');
    expect(modeOf(join(folder, 'real/deep/a.json'))).toBe(0o600);
    for (const link of ['three.json', 'here/two.json', 'here/one.json']) {
      expect(lstatSync(join(folder, link)).isSymbolicLink()).toBe(true);
    }
    expect(readlinkSync(join(folder, 'here/two.json'))).toBe('one.json');
    expect(readdirSync(join(folder, 'here')).sort()).toEqual(['one.json', 'two.json']);
  });

  it('writeUserFile() creates the missing target of a symlink', () => {
    const folder = folderOf({ 'real/other.json': '' });
    symlinkSync('real/a.json', join(folder, 'a.json'));
    expect(userFilePath(join(folder, 'a.json'))).toBe(join(folder, 'real/a.json'));
    writeUserFile(join(folder, 'a.json'), 'text');
    expect(readFileSync(join(folder, 'real/a.json'), 'utf8')).toBe('text');
    expect(lstatSync(join(folder, 'a.json')).isSymbolicLink()).toBe(true);
  });

  it('writeUserFile() rejects circular symlinks, and leaves no draft', () => {
    const folder = folderOf({});
    symlinkSync('b.json', join(folder, 'a.json'));
    symlinkSync('a.json', join(folder, 'b.json'));
    expect(() => writeUserFile(join(folder, 'a.json'), 'text')).toThrow('ELOOP');
    expect(readdirSync(folder).sort()).toEqual(['a.json', 'b.json']);
  });
});
