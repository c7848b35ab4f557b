import { createEvalSet } from '@agent-criteria/project/editing';
import { agentFolder, appName } from '@agent-criteria/project/files';
import { safe } from '@agent-criteria/report/terminal';
import { atMost, parseFlags, usage } from './arguments.ts';
import { commandFlags } from './command-flags.ts';
import type { Io } from './io.ts';
import { printJson } from './print-json.ts';

const FORM = 'agent-criteria eval_set create AGENT SET_ID';

/** `agent-criteria eval_set create AGENT SET_ID`: an empty eval set, where ADK looks for it. */
export async function evalSetCreateCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, commandFlags['eval_set create']);
  const [agent, id] = positionals;
  if (agent === undefined || id === undefined) throw usage(`name an agent and the id of the new set: ${FORM}`);
  atMost(2, positionals, FORM);
  const { file } = await createEvalSet({ agent, id });
  const app = appName(await agentFolder(agent));
  if (flags.json === true) printJson({ evalSetId: id, app, file }, io);
  else io.out(`Eval set "${id}" created for ${safe(app)}: ${safe(file)}\n`);
  return 0;
}
