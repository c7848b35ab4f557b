import { CriteriaError } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { addScenarios, createEvalSet, listEvalSets } from '@agent-criteria/project/editing';
import { agentFolder, appName } from '@agent-criteria/project/files';
import { safe, table } from '@agent-criteria/report/terminal';
import { usage } from './arguments.ts';
import type { Given } from './command-flags.ts';
import type { Io } from './io.ts';
import { printJson, printResult, printWarnings, reportError } from './print.ts';

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

/** Lists the eval sets in an agent's folder, by the ids that `eval` accepts. */
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
  // Readable sets are listed even if others have problems.
  return problems.length > 0 ? reportError(new CriteriaError(problems, { warnings }), io) : 0;
}

/** Adds every scenario of a file to an eval set, as a case. */
export async function evalSetAddCommand(
  { flags, positionals }: Given<'eval_set add_eval_case'>,
  io: Io,
): Promise<number> {
  const form = 'agent-criteria eval_set add_eval_case AGENT SET_ID --scenarios-file FILE --session-input-file FILE';
  const [agent, id] = positionals;
  const { scenarios_file: scenariosFile, session_input_file: sessionInputFile } = flags;
  if (agent === undefined || id === undefined) throw usage(`name an agent and the id of a set: ${form}`);
  if (scenariosFile === undefined || sessionInputFile === undefined) throw usage(`name both files: ${form}`);

  const result = await addScenarios({ agent, evalSet: id, scenariosFile, sessionInputFile });
  const { file, added, skipped } = result;
  printWarnings(result.warnings, io);
  if (flags.json === true) printJson({ file, added: added.map(({ evalId }) => evalId), skipped }, io);
  else {
    for (const { evalId } of added) io.out(`Case "${safe(evalId)}" added to ${safe(file)}\n`);
    for (const evalId of skipped) io.out(`Case "${safe(evalId)}" already exists in ${safe(file)} and was skipped\n`);
  }
  return 0;
}
