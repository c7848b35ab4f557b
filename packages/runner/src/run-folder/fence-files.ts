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
 * Replaces each file of lines with a copy. If a process that has them open was suspended in the middle of a write, the
 * rest of that write goes to a file that is no longer in the folder.
 * @throws CriteriaError WRITE_FAILED.
 */
export function fenceFiles(folder: string): void {
  const scores = namesIn(layout.scorings(folder)).map((name) => join(layout.scorings(folder), name, 'scores.jsonl'));
  for (const file of [
    layout.inferences(folder),
    layout.calls(folder),
    layout.texts(folder),
    layout.runLabels(folder),
    layout.unfinishedCases(folder),
    ...scores,
  ])
    fence(file);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function fence(file: string): void {
  // Links and pipes are rejected later, when they are opened for writing.
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return;
  const draft = `${file}.${randomHex()}`;
  try {
    copyFileSync(file, draft, constants.COPYFILE_FICLONE);
    flush(draft);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    // Windows cannot replace an open file. There, the check before each write is the only protection.
    if (process.platform !== 'win32') throw writeFailed(file, error);
  }
}

/** Flushes a file to disk, so that a power cut does not lose its content. */
function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fdatasyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
