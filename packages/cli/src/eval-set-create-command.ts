import { createEvalSet } from '@agent-criteria/project/editing';
import { agentFolder, appName } from '@agent-criteria/project/files';
import { safe } from '@agent-criteria/report/terminal';
import { usage } from './arguments.ts';
import type { Given } from './command-flags.ts';
import type { Io } from './io.ts';
import { printResult } from './print.ts';

/** Creates an empty eval set in the folder where ADK looks for it. */
export async function evalSetCreateCommand(
  { flags, positionals, form }: Given<'eval_set create'>,
  io: Io,
): Promise<number> {
  const [agent, id] = positionals;
  if (agent === undefined || id === undefined) throw usage(`name an agent and the id of the new set: ${form}`);
  const { file } = await createEvalSet({ agent, id });
  const app = appName(await agentFolder(agent));
  printResult(
    flags.json,
    { evalSetId: id, app, file },
    () => `Eval set "${id}" created for ${safe(app)}: ${safe(file)}\n`,
    io,
  );
  return 0;
}
