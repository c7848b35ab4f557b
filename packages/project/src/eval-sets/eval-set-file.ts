import type { EvalCase, EvalSet, Problem } from '@agent-criteria/core';
import { parseEvalSet, writeEvalSet } from '@agent-criteria/core/host';
import { readJsonFile } from '../read-json-file.ts';
import { jsonText, writeWhole } from '../write-file.ts';

/** An eval set that cases are added to. */
export interface EvalSetFile {
  readonly file: string;
  readonly value: EvalSet;
  readonly warnings: readonly Problem[];
}

/** @throws CriteriaError where there is no such file, or the set has mistakes. */
export async function readEvalSetFile(file: string): Promise<EvalSetFile> {
  const { value, warnings } = await readJsonFile(file);
  const parsed = parseEvalSet(value, { file, allowEmpty: true });
  return { file, value: parsed.value, warnings: [...warnings, ...parsed.warnings] };
}

/** Writes the set with these cases at its end, whole or not at all. */
export async function addCases({ file, value }: EvalSetFile, added: readonly EvalCase[]): Promise<void> {
  if (added.length === 0) return;
  await writeWhole(file, jsonText(writeEvalSet({ ...value, evalCases: [...value.evalCases, ...added] })));
}
