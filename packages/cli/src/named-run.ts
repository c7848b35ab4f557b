import type { Project } from '@agent-criteria/project';
import { findRun, isResultFile, nameOfRun, openResultFile } from '@agent-criteria/project/runs';
import type { RunRecord } from '@agent-criteria/results';
import { type OpenedRun, openRun } from '@agent-criteria/runner';
import { usage } from './arguments.ts';

export interface NamedRun {
  /** The name of the run in commands. */
  readonly run: string;
  readonly record: RunRecord;
  /** The opened run folder; `null` for a result file of ADK. */
  readonly opened: OpenedRun | null;
}

/** Opens a run folder or a result file of ADK. @throws CriteriaError RUN_NOT_FOUND; USAGE for a scoring of a result file. */
export async function openNamedRun(
  word: string | undefined,
  scoring: number | undefined,
  project: Project,
): Promise<NamedRun> {
  if (word !== undefined && isResultFile(word)) {
    if (scoring !== undefined) throw usage('a result file of ADK has only one scoring: leave out --scoring');
    return { run: word, record: await openResultFile(word, project), opened: null };
  }
  const folder = findRun(word, project.runsFolder);
  const opened = openRun(folder, { scoring });
  return { run: nameOfRun(folder, project), record: opened, opened };
}
