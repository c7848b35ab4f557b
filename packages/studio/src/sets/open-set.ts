import { basename } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { type EvalSetFile, loadEvalSet, readEvalSetFile } from '@agent-criteria/project';
import type { FoundSet } from './find-sets.ts';

/** A set to show or edit, of whatever format. @throws CriteriaError with every mistake in the file. */
export async function openSet({ file }: FoundSet): Promise<EvalSetFile> {
  if (isJsonLines(file)) return { ...(await loadEvalSet(file)), file };
  return readEvalSetFile(file, { legacyId: basename(file).replace(/(?:\.evalset|\.test)?\.json$/i, '') });
}

/** As `openSet`, to be changed. @throws CriteriaError UNKNOWN_FORMAT for JSON Lines. */
export async function openSetToEdit(found: FoundSet): Promise<EvalSetFile> {
  const { file } = found;
  if (!isJsonLines(file)) return openSet(found);
  const message =
    'JSON Lines can be shown and run here, but not edited: edit the file, or make an eval set (.evalset.json) of it';
  throw new CriteriaError({ code: 'UNKNOWN_FORMAT', file, message });
}

function isJsonLines(file: string): boolean {
  return /\.jsonl$/i.test(file);
}
