import { dirname, join, resolve } from 'node:path';
import type { AgentSource } from '@agent-criteria/project';
import { splitAgent } from '@agent-criteria/project/config';
import { findAgent } from '@agent-criteria/project/plan';
import type { OpenedEvaluation } from '@agent-criteria/project/runs';
import { isUrl } from '@agent-criteria/runner';

/** Returns the files that tests depend on without importing them, with forward slashes, as Vitest writes paths. */
export async function dependedFiles(
  agents: readonly (AgentSource | object)[],
  { sets, configFile }: OpenedEvaluation,
  folder: string,
): Promise<readonly string[]> {
  const modules = await Promise.all(
    agents.map(async (one) => (typeof one !== 'string' || isUrl(one) ? [] : filesOfAgent(resolve(folder, one)))),
  );
  const files = [...sets.flatMap(({ file, configFile: own }) => [file, own]), configFile, ...modules.flat()];
  return [...new Set(files.flatMap((file) => (file ? [resolve(file).replaceAll('\\', '/')] : [])))];
}

/** Returns the module of an agent and its `.env`, or nothing if there is no agent. */
async function filesOfAgent(agent: string): Promise<readonly string[]> {
  try {
    const file = await findAgent((await splitAgent(agent)).path);
    return [file, join(dirname(file), '.env')];
  } catch {
    return [];
  }
}
