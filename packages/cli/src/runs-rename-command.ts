import { basename, dirname } from 'node:path';
import { settingsOfFlags } from '@agent-criteria/project/config';
import { findRun, nameOfRun, renameRun } from '@agent-criteria/project/runs';
import { safe } from '@agent-criteria/report/terminal';
import { usage } from './arguments.ts';
import type { Given } from './command-flags.ts';
import type { Io } from './io.ts';
import { printResult } from './print.ts';
import { openProject } from './project.ts';

/** Gives a run a name, or takes it away. */
export async function runsRenameCommand({ flags, positionals, form }: Given<'runs rename'>, io: Io): Promise<number> {
  const [word, name = null] = positionals;
  if (word === undefined) throw usage(`name the run, and what to call it: ${form}`);
  const project = await openProject(undefined, settingsOfFlags(flags), io);
  const folder = findRun(word, project.runsFolder);
  renameRun(basename(folder), name, dirname(folder));
  const run = nameOfRun(folder, project);
  const text = name === null ? `Run ${safe(run)} has no name now.` : `Run ${safe(run)} is called "${safe(name)}" now.`;
  printResult(flags.json, { run, name }, () => `${text}\n`, io);
  return 0;
}
