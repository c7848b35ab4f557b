import type { EvalCase, EvalSet, Problem } from '@agent-criteria/core';
import { parseEvalSet, writeEvalSet } from '@agent-criteria/core/host';
import { agentFolder, existingEvalSet, readJsonFile } from '@agent-criteria/project';
import { jsonText, writeWhole } from './write-file.ts';

/** An eval set that cases are added to. */
export interface EditableSet {
  readonly file: string;
  readonly value: EvalSet;
  readonly warnings: readonly Problem[];
}

/** @throws CriteriaError where the agent or its set is not there, or the set has mistakes. */
export async function readEditableSet(agent: string, id: string): Promise<EditableSet> {
  const file = await existingEvalSet(await agentFolder(agent), id);
  const { value, warnings } = await readJsonFile(file);
  const parsed = parseEvalSet(value, { file, allowEmpty: true });
  return { file, value: parsed.value, warnings: [...warnings, ...parsed.warnings] };
}

/** Writes the set with these cases at its end, whole or not at all. */
export async function addCases({ file, value }: EditableSet, added: readonly EvalCase[]): Promise<void> {
  if (added.length === 0) return;
  await writeWhole(file, jsonText(writeEvalSet({ ...value, evalCases: [...value.evalCases, ...added] })));
}
