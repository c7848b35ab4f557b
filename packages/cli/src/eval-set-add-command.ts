import { addScenarios } from '@agent-criteria/project/editing';
import { safe } from '@agent-criteria/report/terminal';
import { usage } from './arguments.ts';
import type { Given } from './command-flags.ts';
import type { Io } from './io.ts';
import { printJson, printWarnings } from './print.ts';

const FORM = 'agent-criteria eval_set add_eval_case AGENT SET_ID --scenarios-file FILE --session-input-file FILE';

/** Adds every scenario of a file to an eval set, as a case. */
export async function evalSetAddCommand(
  { flags, positionals }: Given<'eval_set add_eval_case'>,
  io: Io,
): Promise<number> {
  const [agent, id] = positionals;
  const { scenarios_file: scenariosFile, session_input_file: sessionInputFile } = flags;
  if (agent === undefined || id === undefined) throw usage(`name an agent and the id of a set: ${FORM}`);
  if (scenariosFile === undefined || sessionInputFile === undefined) throw usage(`name both files: ${FORM}`);

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
