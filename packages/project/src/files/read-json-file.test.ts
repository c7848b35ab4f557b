import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { MAX_FILE_BYTES, readJsonFile, readJsonLines } from './read-json-file.ts';

describe('readJsonFile', () => {
  it('reads UTF-8, with and without a byte order mark', async () => {
    const folder = folderOf({ 'a.json': '{"a": "日本語 é"}', 'b.json': '\ufeff{"a": "日本語 é"}' });
    for (const name of ['a.json', 'b.json']) {
      expect(await readJsonFile(join(folder, name))).toEqual({ value: { a: '日本語 é' }, warnings: [] });
    }
  });

  it.each([
    ['little-endian UTF-16', Buffer.from('\ufeff{"a": 1}', 'utf16le'), 'the file is UTF-16; save it as UTF-8'],
    ['big-endian UTF-16', Buffer.from('\ufeff{"a": 1}', 'utf16le').swap16(), 'the file is UTF-16; save it as UTF-8'],
    ['Latin-1', Buffer.from('{"a": "é"}', 'latin1'), 'the file is not UTF-8; save it as UTF-8'],
    ['an incomplete character', Buffer.from([0x22, 0xe2, 0x82, 0x22]), 'the file is not UTF-8; save it as UTF-8'],
  ])('rejects %s', async (_name, bytes, told) => {
    const file = join(folderOf({ 'a.json': bytes }), 'a.json');
    await expect(readJsonFile(file)).rejects.toMatchObject({ code: 'NOT_JSON', message: `${file}: ${told}` });
  });

  it('suggests a file with a similar name', async () => {
    const folder = folderOf({ 'test_config.json': '{}' });
    await expect(readJsonFile(join(folder, 'test_confg.json'))).rejects.toThrow(
      `there is no such file; did you mean ${JSON.stringify(join(folder, 'test_config.json'))}?`,
    );
    await expect(readJsonFile(join(folder, 'none.json'))).rejects.toThrow(/there is no such file$/);
  });

  it('rejects a named pipe without blocking, even behind a link', async ({ skip }) => {
    if (process.platform === 'win32') skip('needs mkfifo');
    const folder = folderOf({});
    const pipe = join(folder, 'a.json');
    execFileSync('mkfifo', [pipe]);
    const link = join(folder, 'b.jsonl');
    symlinkSync(pipe, link);
    const refused = (file: string) => ({
      code: 'FILE_UNREADABLE',
      message: `${file}: this is a named pipe, and reading it could block; write its output to a file, and use that`,
    });
    await expect(readJsonFile(pipe)).rejects.toMatchObject(refused(pipe));
    await expect(readJsonLines(link)).rejects.toMatchObject(refused(link));
  });

  it('reads /dev/stdin', ({ skip }) => {
    if (process.platform === 'win32') skip('needs a shell');
    const script = `import { readJsonFile } from ${JSON.stringify(new URL('read-json-file.ts', import.meta.url).href)};
      console.log(JSON.stringify((await readJsonFile('/dev/stdin')).value));`;
    const node = '"$NODE" --conditions=@agent-criteria/source --input-type=module --eval "$SCRIPT"';
    const env = { ...process.env, NODE: process.execPath, SCRIPT: script };
    expect(execFileSync('sh', ['-c', `echo '[1, 2]' | ${node}`], { env, encoding: 'utf8' })).toBe('[1,2]\n');
  });

  it('rejects a file over the size limit without reading it', async () => {
    const file = join(folderOf({ 'big.json': '{}' }), 'big.json');
    const handle = openSync(file, 'r+');
    ftruncateSync(handle, MAX_FILE_BYTES + 1);
    closeSync(handle);
    await expect(readJsonFile(file)).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
      message: `${file}: the file has 65 MiB, more than the limit of 64 MiB; split the eval set, or write JSON Lines (.jsonl)`,
    });
    await expect(readJsonFile(join(folderOf({ 'a.json': '[1, 2]' }), 'a.json'), 6)).resolves.toMatchObject({
      value: [1, 2],
    });
    await expect(readJsonFile(join(folderOf({ 'a.json': '[1, 2]' }), 'a.json'), 5)).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
    });
  });

  it('rejects a folder and a missing file', async () => {
    const folder = folderOf({ 'a.json': '{}' });
    await expect(readJsonFile(folder)).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: `${folder}: this is a folder; name a file in it`,
    });
    for (const path of ['none.json', 'a.json/inside.json']) {
      const file = join(folder, path);
      await expect(readJsonFile(file)).rejects.toMatchObject({
        code: 'FILE_NOT_FOUND',
        message: `${file}: there is no such file`,
      });
    }
    await expect(readJsonFile('a\0b.json')).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  });
});
