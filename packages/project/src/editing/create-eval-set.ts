import { CriteriaError } from '@agent-criteria/core';
import { writeEvalSet } from '@agent-criteria/formats/parse';
import { agentFolder, evalSetFile } from '../files/agent-folder.ts';
import { jsonText, writeNew } from '../files/write-file.ts';
import { type EvalSetFile, readEvalSetFile } from './eval-set-file.ts';

/**
 * Writes an empty eval set where ADK looks for it: `<id>.evalset.json` in the agent's folder.
 *
 * @param agent The module or folder of the agent.
 * @param id Letters, digits and underscores, as in ADK.
 * @throws CriteriaError USAGE if ADK would not accept the id or the file already exists; AGENT_NOT_FOUND; WRITE_FAILED.
 */
export async function createEvalSet({
  agent,
  id,
}: {
  readonly agent: string;
  readonly id: string;
}): Promise<EvalSetFile> {
  checkSetId(id);
  const file = evalSetFile(await agentFolder(agent), id);
  const set = { evalSetId: id, name: id, evalCases: [], creationTimestamp: Date.now() / 1000 };
  if (!(await writeNew(file, jsonText(writeEvalSet(set))))) {
    const message = 'this eval set already exists; choose another id, or remove the file';
    throw new CriteriaError({ code: 'USAGE', file, message });
  }
  return readEvalSetFile(file);
}

/** Checks the id of a new set. @throws CriteriaError USAGE if ADK would not accept it. */
export function checkSetId(id: string): void {
  if (/^[a-zA-Z0-9_]+$/.test(id)) return;
  const message = `"${id}" is not a valid eval set id: use only letters, digits and underscores, as in ADK`;
  throw new CriteriaError({ code: 'USAGE', message });
}
