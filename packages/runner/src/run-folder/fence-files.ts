import { join } from 'node:path';
import { randomHex } from '@agent-criteria/calls';
import {
  closeSync,
  constants,
  copyFileSync,
  fdatasyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from '../node-fs.ts';
import { layout } from './layout.ts';
import { writeFailed } from './write-file.ts';

/**
 * Puts a copy in the place of each file of lines. A process that had them open, was stopped in the middle of a write and comes back
 * has its last line written to a file that has no name any more.
 * @throws CriteriaError WRITE_FAILED.
 */
export function fenceFiles(folder: string): void {
  const scores = namesIn(layout.scorings(folder)).map((name) => join(layout.scorings(folder), name, 'scores.jsonl'));
  for (const file of [layout.inferences(folder), layout.calls(folder), layout.texts(folder), ...scores]) fence(file);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function fence(file: string): void {
  // A link or a pipe is refused when it is opened for writing.
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return;
  const draft = `${file}.${randomHex()}`;
  try {
    copyFileSync(file, draft, constants.COPYFILE_FICLONE);
    makeSure(draft);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    // Windows replaces no file that is open; there, the check before each write is all there is.
    if (process.platform !== 'win32') throw writeFailed(file, error);
  }
}

/** A crash of the machine must not take what was on the disk before. */
function makeSure(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fdatasyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
