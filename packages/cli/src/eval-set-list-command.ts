import { CriteriaError } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { listEvalSets } from '@agent-criteria/project/editing';
import { safe, table } from '@agent-criteria/report/terminal';
import { usage } from './arguments.ts';
import type { Given } from './command-flags.ts';
import type { Io } from './io.ts';
import { printJson, reportError } from './print.ts';

/** Lists the eval sets in the folder of an agent, by the ids that `eval` accepts. */
export async function evalSetListCommand(
  { flags, positionals, form }: Given<'eval_set list'>,
  io: Io,
): Promise<number> {
  const [agent] = positionals;
  if (agent === undefined) throw usage(`name an agent: ${form}`);
  const { folder, sets, problems, warnings } = await listEvalSets(agent);
  if (flags.json === true) printJson(sets, io);
  else if (sets.length === 0)
    io.out(`No eval sets in ${safe(folder)}. Create one with: agent-criteria eval_set create\n`);
  else {
    const size = (cases: number | null) => (cases === null ? 'cannot be read' : counted(cases, 'case'));
    io.out(`${table(sets.map(({ id, cases }) => [{ text: safe(id) }, { text: size(cases) }]))}\n`);
  }
  // Readable sets are listed despite the problems of others.
  return problems.length > 0 ? reportError(new CriteriaError(problems, { warnings }), io) : 0;
}
