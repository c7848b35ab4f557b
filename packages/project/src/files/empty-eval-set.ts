import { stat } from 'node:fs/promises';
import { fieldOf } from '@agent-criteria/formats/schema';
import { readJsonFile } from './read-json-file.ts';

/** A file without cases is small: larger ones are not read for this. */
const MOST_BYTES = 64 * 1024;

export const EMPTY_SET = 'the set has no case, so nothing of it is evaluated';

/** Whether a file is an eval set without a case, as `eval_set create` and ADK's web page make it. */
export async function isEmptySet(file: string): Promise<boolean> {
  if (!/\.json$/i.test(file)) return false;
  try {
    if ((await stat(file)).size > MOST_BYTES) return false;
    const cases = fieldOf((await readJsonFile(file)).value, 'evalCases');
    return Array.isArray(cases) && cases.length === 0;
  } catch {
    // An unreadable file is reported when its cases are read.
    return false;
  }
}
