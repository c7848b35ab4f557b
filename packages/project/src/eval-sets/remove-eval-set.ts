import { readFile, rm } from 'node:fs/promises';
import { CriteriaError } from '@agent-criteria/core';
import { writeNew } from '../write-file.ts';
import type { EvalSetFile } from './eval-set-file.ts';

/** The file of a set that was deleted, byte by byte. */
export interface RemovedEvalSet {
  readonly file: string;
  readonly content: Uint8Array;
}

/**
 * Deletes the file of a set.
 * @returns What `restoreEvalSet` brings back.
 * @throws CriteriaError WRITE_FAILED.
 */
export async function removeEvalSet({ file }: Pick<EvalSetFile, 'file'>): Promise<RemovedEvalSet> {
  try {
    const content = await readFile(file);
    await rm(file);
    return { file, content };
  } catch (error) {
    const message = `this file cannot be deleted: ${(error as Error).message}`;
    throw new CriteriaError({ code: 'WRITE_FAILED', file, message }, { cause: error });
  }
}

/**
 * Writes the file of a set again as it was.
 * @throws CriteriaError USAGE where there is such a file by now, which is not changed; WRITE_FAILED.
 */
export async function restoreEvalSet({ file, content }: RemovedEvalSet): Promise<void> {
  if (await writeNew(file, content)) return;
  const message = 'there is a file of this name by now, which was not changed: rename it, then try again';
  throw new CriteriaError({ code: 'USAGE', file, message });
}
