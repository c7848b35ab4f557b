import { basename } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { type EvalSetFile, readEvalSetFile } from '@agent-criteria/project/editing';
import { loadEvalSet } from '@agent-criteria/project/files';
import type { FoundSet } from './find-sets.ts';

/** Opens a set in any format. @throws CriteriaError with every mistake in the file. */
export async function openSet({ file }: FoundSet): Promise<EvalSetFile> {
  if (isJsonLines(file)) return { ...(await loadEvalSet(file)), file };
  return readEvalSetFile(file, { legacyId: basename(file).replace(/(?:\.evalset|\.test|-dataset)?\.json$/i, '') });
}

/** Opens a set for changes. @throws CriteriaError UNKNOWN_FORMAT for JSON Lines and datasets of agents-cli. */
export async function openSetToEdit(found: FoundSet): Promise<EvalSetFile> {
  const { file } = found;
  const set = isJsonLines(file) ? null : await openSet(found);
  if (set !== null && set.isDataset !== true) return set;
  const what = set === null ? 'JSON Lines' : 'Datasets of agents-cli';
  const how = set === null ? '' : ' with agent-criteria migrate';
  const message = `${what} can be shown and run here, but not edited: edit the file, or make an eval set (.evalset.json) of it${how}`;
  throw new CriteriaError({ code: 'UNKNOWN_FORMAT', file, message });
}

function isJsonLines(file: string): boolean {
  return /\.jsonl$/i.test(file);
}
