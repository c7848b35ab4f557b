import { EXPORT_FORMATS, exportRun, lossText } from '@agent-criteria/convert';
import { counted } from '@agent-criteria/core/host';
import { settingsOfFlags } from '@agent-criteria/project/config';
import { findRun } from '@agent-criteria/project/runs';
import { writeAtomically } from '@agent-criteria/report';
import { safe } from '@agent-criteria/report/terminal';
import { openRun } from '@agent-criteria/runner';
import type { Given } from './command-flags.ts';
import { oneOf, wholeNumber } from './flag-values.ts';
import type { Io } from './io.ts';
import { openProject } from './project.ts';

/** Writes the conversations of a run in a format of others. */
export async function exportCommand({ flags, positionals }: Given<'export'>, io: Io): Promise<number> {
  const { output } = flags;
  const guessed = output?.toLowerCase().endsWith('.csv') ? 'csv' : 'messages';
  const format = oneOf('format', flags.format, EXPORT_FORMATS) ?? guessed;
  const project = await openProject(undefined, settingsOfFlags(flags), io);
  const run = openRun(findRun(positionals[0], project.runsFolder), { scoring: wholeNumber('scoring', flags.scoring) });
  const exported = exportRun(run, format);
  if (output === undefined) for await (const piece of exported.text) io.raw(piece);
  else await writeAtomically(output, exported.text, 'export');
  const losses = exported.losses();
  if (losses.length > 0) {
    io.err(`Not written:\n${losses.map((loss) => `  ${safe(lossText(loss))}\n`).join('')}`);
  }
  if (output !== undefined) io.out(`Written: ${safe(output)}, ${counted(exported.count(), 'conversation')}\n`);
  return 0;
}
