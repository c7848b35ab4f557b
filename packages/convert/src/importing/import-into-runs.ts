import { rm } from 'node:fs/promises';
import { CriteriaError } from '@agent-criteria/core';
import { newRunFolder } from '@agent-criteria/runner';
import { cutOffImport } from './cut-off-import.ts';
import { type ImportedRun, type ImportRunOptions, importRun } from './import-conversations.ts';

export interface ImportIntoRunsOptions extends Omit<ImportRunOptions, 'folder'> {
  /** The folder of all runs, in which the run gets a folder of its own. */
  readonly runsFolder: string;
  /** Called first if an import of the same files that was cut off is continued. */
  readonly onContinue?: (() => void) | undefined;
}

/**
 * Makes a run of recorded conversations among other runs, or continues an import that was cut off. An import that fails or is aborted leaves nothing behind.
 *
 * @throws CriteriaError as `importRun` does.
 */
export async function importIntoRuns({
  runsFolder,
  onContinue,
  ...options
}: ImportIntoRunsOptions): Promise<ImportedRun & { readonly folder: string }> {
  const cutOff = await cutOffImport(options, runsFolder);
  if (cutOff !== null) onContinue?.();
  const folder = cutOff ?? newRunFolder(runsFolder);
  try {
    return { ...(await importRun({ ...options, folder })), folder };
  } catch (error) {
    // It holds no run, and may hold a part of the conversations, unless another process is writing it.
    if (!CriteriaError.is(error) || error.code !== 'RUN_LOCKED') await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
