import { type MeasuredFile, readMeasured, type StatisticsFacts } from '@agent-criteria/analysis';
import type { Project } from '../config/open-project.ts';
import { collectProblems } from '../files/collect-problems.ts';
import { readJsonFile } from '../files/read-json-file.ts';
import { usedBy } from './open-outcomes.ts';

/**
 * Reads the measurements of a project's judges, from the files under `instruments` in its config. `measurementsOf` in
 * the analysis package finds those of one judge.
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
 * Returns the facts that reports need about a run: the options and models that judged it, and the measurements of its
 * judges.
 */
export function statisticsFacts(
  run: Parameters<typeof usedBy>[0],
  measured: readonly MeasuredFile[],
): Required<Pick<StatisticsFacts, 'used' | 'measured'>> {
  return { used: usedBy(run), measured };
}
