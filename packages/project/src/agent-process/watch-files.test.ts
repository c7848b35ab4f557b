import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { hashOfFile } from '../files/file-hashes.ts';
import { watchFiles } from './watch-files.ts';

async function watching(files: Readonly<Record<string, string>>, names = Object.keys(files)) {
  const folder = folderOf(files);
  const watcher = await watchFiles();
  onTestFinished(() => watcher.close());
  const paths = names.map((name) => join(folder, name));
  const hashes = new Map(paths.map((path) => [path, hashOfFile(path)]));
  const changed = watcher.changed(hashes, AbortSignal.timeout(20_000));
  // Not every test waits for it.
  changed.catch(() => undefined);
  return { watcher, hashes, changed, path: (name: string) => join(folder, name) };
}

it('watchFiles() resolves with a file that was written, and not for one that was written unchanged', async () => {
  const { changed, path } = await watching({ 'a.txt': '1', 'b.txt': '1' });
  writeFileSync(path('b.txt'), '1');
  setTimeout(() => writeFileSync(path('a.txt'), '2'), 200);
  expect(await changed).toEqual([path('a.txt')]);
});

it('watchFiles() sees a file that an editor replaces, creates or deletes', async () => {
  const replaced = await watching({ 'a.txt': '1', 'next.txt': '2' }, ['a.txt']);
  renameSync(replaced.path('next.txt'), replaced.path('a.txt'));
  expect(await replaced.changed).toEqual([replaced.path('a.txt')]);
  const created = await watching({ 'a.txt': '1' }, ['new.txt']);
  writeFileSync(created.path('new.txt'), '1');
  expect(await created.changed).toEqual([created.path('new.txt')]);
  const deleted = await watching({ 'a.txt': '1' });
  rmSync(deleted.path('a.txt'));
  expect(await deleted.changed).toEqual([deleted.path('a.txt')]);
});

it('watchFiles() resolves at once if a file changed before it was watched', async () => {
  const { watcher, hashes, changed, path } = await watching({ 'a.txt': '1' });
  writeFileSync(path('a.txt'), '2');
  await changed;
  writeFileSync(path('a.txt'), '3');
  expect(await watcher.changed(hashes, AbortSignal.timeout(20_000))).toEqual([path('a.txt')]);
});

it('watchFiles() rejects with the reason when its signal aborts', async () => {
  const { watcher, hashes } = await watching({ 'a.txt': '1' });
  await expect(watcher.changed(hashes, AbortSignal.timeout(50))).rejects.toThrow(/timeout/i);
});
