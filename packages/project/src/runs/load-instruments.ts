import { type MeasuredFile, readMeasured, type StatisticsFacts } from '@agent-criteria/analysis';
import type { Project } from '../config/open-project.ts';
import { collectProblems } from '../files/collect-problems.ts';
import { readJsonFile } from '../files/read-json-file.ts';
import { usedBy } from './open-outcomes.ts';

/**
 * What is known of the judges of a project: the files under `instruments` of its config. `measurementsOf` of analysis finds what
 * holds for a judge.
 *
 * @throws CriteriaError with every file that is missing or damaged.
 */
export async function loadInstruments({ config }: Pick<Project, 'config'>): Promise<readonly MeasuredFile[]> {
  const found = collectProblems();
  const files: MeasuredFile[] = [];
  for (const file of config.settings.instruments ?? []) {
    const read = await found.attempt(async () => readMeasured((await readJsonFile(file)).value, file));
    if (read !== undefined && read !== null) files.push(read);
  }
  found.throwIfAny();
  return files;
}

/**
 * What the reports of a run take from its folder and from the project: by what options and models it was judged, and what was measured
 * of its judges.
 */
export function statisticsFacts(
  run: Parameters<typeof usedBy>[0],
  measured: readonly MeasuredFile[],
): Required<Pick<StatisticsFacts, 'used' | 'measured'>> {
  return { used: usedBy(run), measured };
}
