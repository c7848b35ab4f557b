import { baselineFile, isBaseline, type RunOutcomes } from '@agent-criteria/analysis';
import { CriteriaError } from '@agent-criteria/core';
import { stringifyJson } from '@agent-criteria/formats';
import { pathExists } from '../../files/path-kind.ts';
import { readJsonFile } from '../../files/read-json-file.ts';
import { writeWhole } from '../../files/write-file.ts';

/**
 * Writes the scores of a run to a small file that can be committed. Replaces an older baseline.
 *
 * @throws CriteriaError WRITE_FAILED, also if the existing file is not a baseline.
 */
export async function writeBaseline(run: RunOutcomes, file: string): Promise<void> {
  if (
    (await pathExists(file)) &&
    !isBaseline(
      await readJsonFile(file).then(
        ({ value }) => value,
        () => null,
      ),
    )
  ) {
    const message = 'this file exists already and is not a baseline: choose another with --output FILE';
    throw new CriteriaError({ code: 'WRITE_FAILED', file, message });
  }
  await writeWhole(file, baselineText(run));
}

/** Formats a run as the text of a baseline file. */
export function baselineText(run: RunOutcomes): string {
  return `${stringifyJson(baselineFile(run), null, 2)}\n`;
}
