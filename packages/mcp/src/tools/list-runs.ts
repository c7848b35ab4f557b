import { counted } from '@agent-criteria/core/host';
import { safe } from '@agent-criteria/report/terminal';
import { listRuns as listAll, type RunListing } from '@agent-criteria/runner';
import { z } from 'zod';
import { isInside, nameInside } from '../project/path-inside.ts';
import { stateText } from '../runs/run-state.ts';
import { defineTool } from '../tool.ts';
import { from } from './inputs.ts';

export const listRuns = defineTool({
  name: 'list_runs',
  title: 'List runs',
  description: 'Lists the saved runs, newest first: what came of each, its agent and its eval sets.',
  input: z.object({ from }),
  changes: 'nothing',
  async call(_given, { root, open }) {
    const { runsFolder } = await open();
    const runs: RunListing[] = [];
    for (const run of listAll(runsFolder)) if (await isInside(runsFolder, run.folder)) runs.push(run);
    if (runs.length === 0) return { says: 'There are no runs yet. start_run starts one.' };
    return {
      says: `${counted(runs.length, 'run')}, newest first.`,
      data: runs.reverse().map((run) => line(root, run)),
    };
  },
});

function line(root: string, run: RunListing): string {
  const { id, name, agent, sets, startedAt, selection } = run;
  const title = name === undefined ? safe(id) : `${safe(id)} "${safe(name)}"`;
  const some = selection === undefined ? '' : ' (some of their cases)';
  const from = agent.startsWith(root) ? nameInside(root, agent) : agent;
  return `${title}, ${new Date(startedAt).toISOString()}: ${stateText(run)} Agent ${safe(from)}; eval sets ${sets.map(safe).join(', ')}${some}\n`;
}
