import { basename } from 'node:path';
import { CriteriaError, type EvalSet, type Problem, readEvalData } from '@agent-criteria/core';
import { readJsonFile } from './read-json-file.ts';

/** A loaded file, with what is odd about it. */
export interface LoadedEvalSet {
  readonly value: EvalSet;
  readonly warnings: readonly Problem[];
}

/**
 * Reads an eval set file of any format that ADK ever had; the two old ones are migrated in memory.
 * @throws CriteriaError with every mistake, naming file and path.
 */
export async function loadEvalSet(file: string): Promise<LoadedEvalSet> {
  const { value, warnings } = await readJsonFile(file);
  try {
    const read = readEvalData(value, { file, id: basename(file).replace(/\.(evalset|test)?\.?json$/, '') });
    return { value: read.value, warnings: [...warnings, ...read.warnings] };
  } catch (error) {
    if (CriteriaError.is(error)) throw new CriteriaError(error.problems.map((problem) => ({ file, ...problem })));
    throw error;
  }
}
