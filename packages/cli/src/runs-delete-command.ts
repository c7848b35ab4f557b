import { settingsOfFlags } from '@agent-criteria/project/config';
import { collectProblems } from '@agent-criteria/project/files';
import { findRun, nameOfRun } from '@agent-criteria/project/runs';
import { safe } from '@agent-criteria/report/terminal';
import { deleteRun } from '@agent-criteria/runner';
import { usage } from './arguments.ts';
import type { Given } from './command-flags.ts';
import type { Io } from './io.ts';
import { printResult } from './print.ts';
import { openProject } from './project.ts';

/** Deletes saved runs. Those that cannot be deleted do not keep the others. */
export async function runsDeleteCommand({ flags, positionals, form }: Given<'runs delete'>, io: Io): Promise<number> {
  if (positionals.length === 0) throw usage(`name the runs to delete: ${form} (agent-criteria runs lists them)`);
  const project = await openProject(undefined, settingsOfFlags(flags), io);
  const found = collectProblems();
  const folders = new Set<string>();
  // All are found first: "last" means the same run as before the first one was deleted.
  for (const word of positionals) {
    const folder = await found.attempt(async () => findRun(word, project.runsFolder));
    if (folder !== undefined) folders.add(folder);
  }
  const deleted: string[] = [];
  for (const folder of folders) {
    await found.attempt(async () => {
      await deleteRun(folder, project.runsFolder);
      deleted.push(nameOfRun(folder, project));
    });
  }
  const text = deleted.map((run) => `Deleted: ${safe(run)}\n`).join('');
  if (deleted.length > 0) printResult(flags.json, { deleted }, () => text, io);
  found.throwIfAny();
  return 0;
}
