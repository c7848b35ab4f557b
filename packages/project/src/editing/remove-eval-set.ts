import { chmod, readFile, readlink, rm, stat, symlink } from 'node:fs/promises';
import { CriteriaError } from '@agent-criteria/core';
import { writeNew } from '../files/write-file.ts';
import type { EvalSetFile } from './eval-set-file.ts';

/** The deleted file of a set, byte for byte. */
export interface RemovedEvalSet {
  readonly file: string;
  readonly content: Uint8Array;
  readonly mode: number;
  /** The target of the link if the file was one, or `null` if it was not. */
  readonly link: string | null;
}

/**
 * Deletes the file of a set. If the file is a link, its target is kept.
 * @returns The input for `restoreEvalSet`.
 * @throws CriteriaError WRITE_FAILED.
 */
export async function removeEvalSet({ file }: Pick<EvalSetFile, 'file'>): Promise<RemovedEvalSet> {
  try {
    const [content, { mode }] = await Promise.all([readFile(file), stat(file)]);
    const link = await readlink(file).catch(() => null);
    await rm(file);
    return { file, content, mode: mode & 0o7777, link };
  } catch (error) {
    const message = `this file cannot be deleted: ${(error as Error).message}`;
    throw new CriteriaError({ code: 'WRITE_FAILED', file, message }, { cause: error });
  }
}

/**
 * Restores the deleted file of a set.
 * @throws CriteriaError WRITE_FAILED, or USAGE if there is a file with this name again, which is then left unchanged.
 */
export async function restoreEvalSet({ file, content, mode, link }: RemovedEvalSet): Promise<void> {
  if (link === null ? await writeNew(file, content) : await linked(file, link)) {
    if (link === null) await chmod(file, mode);
    return;
  }
  const message = 'there is a file of this name by now, which was not changed: rename it, then try again';
  throw new CriteriaError({ code: 'USAGE', file, message });
}

/** Creates a link. Returns `false` if a file with this name already exists. */
async function linked(file: string, target: string): Promise<boolean> {
  try {
    await symlink(target, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    const message = `this file cannot be written: ${(error as Error).message}`;
    throw new CriteriaError({ code: 'WRITE_FAILED', file, message }, { cause: error });
  }
}
