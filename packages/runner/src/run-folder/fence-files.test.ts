import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { fenceFiles } from './fence-files.ts';
import { openLines } from './line-writer.ts';

it('fenceFiles() keeps the rest of an interrupted write out of the folder', ({ skip }) => {
  if (process.platform === 'win32') skip('Windows replaces no file that is open');
  const folder = folderOf({});
  mkdirSync(join(folder, 'scorings', '1'), { recursive: true });
  const files = ['inferences.jsonl', 'calls.jsonl', 'texts.jsonl', join('scorings', '1', 'scores.jsonl')];
  const old = files.map((file) => openLines(join(folder, file)));
  for (const writer of old) writer.append('"before"');
  fenceFiles(folder);
  const now = files.map((file) => openLines(join(folder, file)));
  for (const writer of now) writer.append('"new"');
  for (const writer of old) writer.append('"a longer line that comes too late"');
  for (const writer of [...old, ...now]) writer.close();
  for (const file of files) expect(readFileSync(join(folder, file), 'utf8')).toBe('"before"\n"new"\n');
  expect(readdirSync(folder).sort()).toEqual(['calls.jsonl', 'inferences.jsonl', 'scorings', 'texts.jsonl']);
});

it('fenceFiles() does not follow links', ({ skip }) => {
  if (process.platform === 'win32') skip('needs symbolic links');
  const folder = folderOf({ secret: 'of somebody else' });
  symlinkSync(join(folder, 'secret'), join(folder, 'inferences.jsonl'));
  writeFileSync(join(folder, 'calls.jsonl'), '');
  fenceFiles(folder);
  expect(() => openLines(join(folder, 'inferences.jsonl'))).toThrow('it is a link');
});
