import { basename } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { type EvalSetFile, readEvalSetFile } from '@agent-criteria/project/editing';
import { loadEvalSet } from '@agent-criteria/project/files';

/** Opens an eval set in any format. @throws CriteriaError listing every mistake in the file. */
export async function openSet(file: string): Promise<EvalSetFile> {
  if (isJsonLines(file)) return { ...(await loadEvalSet(file)), file };
  return readEvalSetFile(file, { legacyId: basename(file).replace(/(?:\.evalset|\.test|-dataset)?\.json$/i, '') });
}

/** Opens an eval set to change it. @throws CriteriaError also UNKNOWN_FORMAT for JSON Lines. */
export async function openSetToEdit(file: string): Promise<EvalSetFile> {
  if (!isJsonLines(file)) return openSet(file);
  const message = 'JSON Lines can be shown and run here, but not edited: edit the file itself';
  throw new CriteriaError({ code: 'UNKNOWN_FORMAT', file, message });
}

function isJsonLines(file: string): boolean {
  return /\.jsonl$/i.test(file);
}
