import type { Problem } from '@agent-criteria/core';
import { agentFolder, evalSetFile, evalSetIds } from '../files/agent-folder.ts';
import { collectProblems, uniqueProblems } from '../files/collect-problems.ts';
import { readEvalSetFile } from './eval-set-file.ts';

export interface ListedEvalSets {
  /** The agent's folder. */
  readonly folder: string;
  /** The sets, sorted by id. */
  readonly sets: readonly ListedEvalSet[];
  /** The mistakes in sets that cannot be read. */
  readonly problems: readonly Problem[];
  /** Warnings about sets that cannot be read. */
  readonly warnings: readonly Problem[];
}

export interface ListedEvalSet {
  /** The file name without its ending, as commands accept it. */
  readonly id: string;
  readonly file: string;
  /** The number of cases, or `null` if the set cannot be read. */
  readonly cases: number | null;
}

/**
 * Lists the eval sets in an agent's folder.
 * @throws CriteriaError AGENT_NOT_FOUND.
 */
export async function listEvalSets(agent: string): Promise<ListedEvalSets> {
  const folder = await agentFolder(agent);
  const found = collectProblems();
  const sets: ListedEvalSet[] = [];
  for (const id of await evalSetIds(folder)) {
    const file = evalSetFile(folder, id);
    const set = await found.attempt(() => readEvalSetFile(file, { legacyId: id }));
    sets.push({ id, file, cases: set?.value.evalCases.length ?? null });
  }
  return { folder, sets, problems: uniqueProblems(found.problems), warnings: uniqueProblems(found.warnings) };
}
