import type { Project } from '@agent-criteria/project';
import { findRun, isResultFile, nameOfRun, openResultFile } from '@agent-criteria/project/runs';
import type { RunRecord } from '@agent-criteria/results';
import { type OpenedRun, openRun } from '@agent-criteria/runner';
import { usage } from './arguments.ts';

export interface NamedRun {
  /** The run's name in commands. */
  readonly run: string;
  readonly record: RunRecord;
  /** The opened run folder, or `null` for an ADK result file. */
  readonly opened: OpenedRun | null;
}

/**
 * Opens a run folder or an ADK result file. @throws CriteriaError RUN_NOT_FOUND, or USAGE if `scoring` is given for a
 * result file.
 */
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
