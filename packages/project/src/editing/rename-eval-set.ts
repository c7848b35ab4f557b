import { link, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { checkSetId } from './create-eval-set.ts';
import { type EvalSetFile, saveSet } from './eval-set-file.ts';
import { removeEvalSet } from './remove-eval-set.ts';

/**
 * Renames a set and its file, which stays in its folder and keeps its ending (`.evalset.json`, `.test.json`). Also
 * changes the set's `name` if it equals the old id.
 * @param id Letters, digits and underscores, as in ADK.
 * @throws CriteriaError USAGE for other characters and if the file exists; WRITE_FAILED as for `saveSet`.
 */
export async function renameEvalSet(set: EvalSetFile, id: string): Promise<EvalSetFile> {
  checkSetId(id);
  const { value } = set;
  const ending = /(?:\.evalset|\.test)?\.json$/i.exec(basename(set.file))?.[0] ?? '.evalset.json';
  const file = join(dirname(set.file), `${id}${ending}`);
  try {
    // Unlike renaming, linking never replaces an existing file.
    await link(set.file, file);
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST';
    const message = isTaken
      ? `there already is an eval set "${id}", which was not changed; choose another id`
      : `this file cannot be written: ${(error as Error).message}`;
    throw new CriteriaError({ code: isTaken ? 'USAGE' : 'WRITE_FAILED', file, message }, { cause: error });
  }
  const name = value.name === value.evalSetId ? id : value.name;
  const renamed = { ...value, evalSetId: id, ...(name === undefined ? {} : { name }) };
  try {
    const saved = await saveSet({ ...set, file }, renamed);
    await removeEvalSet(set);
    return saved;
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}
