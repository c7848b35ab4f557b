import { counted } from '@agent-criteria/core/host';
import { settingsOfFlags } from '@agent-criteria/project/config';
import { openOutcomes, writeBaseline } from '@agent-criteria/project/runs';
import { safe } from '@agent-criteria/report/terminal';
import type { Given } from './command-flags.ts';
import type { Io } from './io.ts';
import { printResult } from './print.ts';
import { openProject } from './project.ts';

/** Writes the scores of a run as a small file to commit. */
export async function baselineSetCommand({ flags, positionals }: Given<'baseline set'>, io: Io): Promise<number> {
  const project = await openProject(undefined, settingsOfFlags(flags), io);
  const { name, outcomes } = await openOutcomes(positionals[0], project);
  const file = flags.output ?? 'baseline.json';
  await writeBaseline(outcomes, file);
  const cases = outcomes.cases.length;
  printResult(
    flags.json,
    { run: name, file, cases },
    () =>
      `Written: ${safe(file)}, ${counted(cases, 'case')} of run ${safe(name)}. Use it with --baseline ${safe(file)}.\n`,
    io,
  );
  return 0;
}
