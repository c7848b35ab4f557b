import { CriteriaError } from '@agent-criteria/core';
import { writeEvalSet } from '@agent-criteria/core/host';
import { agentFolder, appName, compareWithFile, evalSetFile, jsonText, writeWhole } from '@agent-criteria/project';
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
  if (!/^[a-zA-Z0-9_]+$/.test(id)) {
    throw usage(`"${id}" is no id for an eval set: it may have letters, digits and underscores only, as in ADK`);
  }
  const folder = await agentFolder(agent);
  const file = evalSetFile(folder, id);
  const set = { evalSetId: id, name: id, evalCases: [], creationTimestamp: Date.now() / 1000 };
  const text = jsonText(writeEvalSet(set));
  if ((await compareWithFile(file, text)) !== 'new') {
    const message = 'there is such an eval set already; name another, or remove the file';
    throw new CriteriaError({ code: 'USAGE', file, message });
  }
  await writeWhole(file, text);
  if (flags.json === true) printJson({ evalSetId: id, app: appName(folder), file }, io);
  else io.out(`Eval set "${id}" created for ${safe(appName(folder))}: ${safe(file)}\n`);
  return 0;
}
