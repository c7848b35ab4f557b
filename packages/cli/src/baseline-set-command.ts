import { counted } from '@agent-criteria/core/host';
import { settingsOfFlags } from '@agent-criteria/project/config';
import { openOutcomes, writeBaseline } from '@agent-criteria/project/runs';
import { safe } from '@agent-criteria/report/terminal';
import type { Given } from './commands.ts';
import type { Io } from './io.ts';
import { printJson } from './print-json.ts';
import { openProject } from './project.ts';

/** `agent-criteria baseline set [RUN]`: writes the scores of a run as a small file to commit. */
export async function baselineSetCommand({ flags, positionals }: Given<'baseline set'>, io: Io): Promise<number> {
  const project = await openProject(undefined, settingsOfFlags(flags), io);
  const { name, outcomes } = await openOutcomes(positionals[0], project);
  const file = flags.output ?? 'baseline.json';
  await writeBaseline(outcomes, file);
  const cases = outcomes.cases.length;
  if (flags.json === true) printJson({ run: name, file, cases }, io);
  else
    io.out(
      `Written: ${safe(file)}, ${counted(cases, 'case')} of run ${safe(name)}. Use it with --baseline ${safe(file)}.\n`,
    );
  return 0;
}
