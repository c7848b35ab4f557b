import { rm } from 'node:fs/promises';
import { CriteriaError } from '@agent-criteria/core';
import type { EvalSetFile } from './eval-set-file.ts';

/**
 * Deletes the file of a set.
 * @throws CriteriaError WRITE_FAILED.
 */
export async function removeEvalSet({ file }: Pick<EvalSetFile, 'file'>): Promise<void> {
  try {
    await rm(file);
  } catch (error) {
    const message = `this file cannot be deleted: ${(error as Error).message}`;
    throw new CriteriaError({ code: 'WRITE_FAILED', file, message }, { cause: error });
  }
}
