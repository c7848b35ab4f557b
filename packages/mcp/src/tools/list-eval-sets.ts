import { basename, dirname, join } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { findDatasets, findEvalSets, loadEvalSet } from '@agent-criteria/project/files';
import { findAgent } from '@agent-criteria/project/plan';
import { safe } from '@agent-criteria/report/terminal';
import { z } from 'zod';
import { isInside, nameInside, pathInside } from '../project/path-inside.ts';
import { defineTool } from '../tool.ts';
import { from } from './inputs.ts';

/** Excludes `index.ts`, which most projects have and which is rarely an agent. */
const AGENT_MODULE = /^(?:app|agent)\.[mc]?[jt]s$/;

export const listEvalSets = defineTool({
  name: 'list_eval_sets',
  title: 'List eval sets',
  description:
    'Lists the eval sets of the project, each with the number of its cases and the agent beside or above it. Runs nothing.',
  input: z.object({
    folder: z.string().default('.').describe('The folder to look in, relative to the project. Default: the project.'),
    from,
  }),
  changes: 'nothing',
  async call({ folder }, { root }) {
    const files = await filesBelow(root, await pathInside(root, folder));
    if (files.length === 0) {
      return {
        says: 'There is no eval set here: no file ends in .evalset.json, .test.json, .evalset.jsonl or .test.jsonl.',
      };
    }
    return { says: `${counted(files.length, 'eval set')}.`, data: linesOf(root, files) };
  },
});

async function* linesOf(root: string, files: readonly string[]): AsyncGenerator<string> {
  const agents = new Map<string, Promise<string | null>>();
  for (const file of files) {
    const folder = dirname(file);
    const agent = agents.get(folder) ?? agentOf(root, folder);
    agents.set(folder, agent);
    const found = await agent;
    const owner = found === null ? 'no agent beside or above it' : `agent ${safe(nameInside(root, found))}`;
    yield `${safe(nameInside(root, file))}: ${await contentOf(file)}, ${owner}\n`;
  }
}

async function filesBelow(root: string, folder: string): Promise<readonly string[]> {
  const sets = await findEvalSets(folder).catch((error: unknown) => {
    if (CriteriaError.is(error) && error.code === 'EMPTY') return [];
    throw error;
  });
  const inside: string[] = [];
  for (const file of [...sets, ...(await findDatasets(folder))]) if (await isInside(root, file)) inside.push(file);
  return inside;
}

async function contentOf(file: string): Promise<string> {
  try {
    return counted((await loadEvalSet(file)).value.evalCases.length, 'case');
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    return `cannot be read (${counted(error.problems.length, 'mistake')}; see validate)`;
  }
}

/** Finds the nearest agent: in the folder, in a folder "agent" there, or above. */
async function agentOf(root: string, folder: string): Promise<string | null> {
  for (const place of [folder, join(folder, 'agent')]) {
    const found = await findAgent(place).catch(() => null);
    if (found !== null && AGENT_MODULE.test(basename(found)) && (await isInside(root, found))) return found;
  }
  return folder === root ? null : agentOf(root, dirname(folder));
}
