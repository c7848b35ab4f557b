import { counted } from '@agent-criteria/core/host';
import { settingsOfFlags } from '@agent-criteria/project/config';
import { openOutcomes, writeBaseline } from '@agent-criteria/project/runs';
import { safe } from '@agent-criteria/report/terminal';
import { atMost, parseFlags } from './arguments.ts';
import { commandFlags } from './command-flags.ts';
import type { Io } from './io.ts';
import { printJson } from './print-json.ts';
import { openProject } from './project.ts';

/** `agent-criteria baseline set [RUN]`: writes the scores of a run as a small file to commit. */
export async function baselineSetCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, commandFlags['baseline set']);
  atMost(1, positionals, 'agent-criteria baseline set [RUN]');
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
