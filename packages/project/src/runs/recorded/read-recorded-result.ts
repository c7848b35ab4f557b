import { parseEvalSetResult } from '@agent-criteria/formats/parse';
import type { RunRecord } from '@agent-criteria/results';
import { type LeftOut, type RecordedResult, recordedResult, recordedRun } from '@agent-criteria/results/adk';
import type { Project } from '../../config/open-project.ts';
import { readJsonFile } from '../../files/read-json-file.ts';

/** Whether a path is that of an ADK result file, judging by its name. */
export function isResultFile(path: string): boolean {
  return /\.evalset_result\.json$/i.test(path);
}

/**
 * Reads an ADK result file: JSON, or JSON in a JSON string, as older versions write it. @throws CriteriaError with
 * every mistake.
 */
export async function readRecordedResult(file: string): Promise<RecordedResult> {
  const { value, warnings } = await readJsonFile(file);
  const parsed = parseEvalSetResult(value, { file });
  const result = recordedResult(parsed.value, file);
  return { ...result, warnings: [...warnings, ...parsed.warnings, ...result.warnings] };
}

/**
 * Opens an ADK result file as a run to read, with the scores that it records. @throws CriteriaError with every mistake.
 */
export async function openResultFile(file: string, project: Pick<Project, 'builtIn' | 'config'>): Promise<RunRecord> {
  const plugins = [...(project.builtIn?.plugins ?? []), ...project.config.plugins];
  const criteria = plugins.filter((plugin) => plugin.kind === 'criterion');
  const result = await readRecordedResult(file);
  return recordedRun(result, { file, criterion: (name) => criteria.find((one) => one.name === name) });
}

/** An ADK result file whose inferences are judged again, and the data needed to compare the scores. */
export interface RecordedScores {
  readonly file: string;
  readonly result: RecordedResult;
  /** The folder from which to resolve packages. */
  readonly folder: string;
  /** The recorded metrics that are not judged, by name, with the reasons. */
  readonly leftOut: ReadonlyMap<string, LeftOut>;
  /** Whether a config was given to replace the recorded criteria. */
  readonly otherConfig: boolean;
}
