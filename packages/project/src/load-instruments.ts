import { type MeasuredFile, readMeasured } from '@agent-criteria/analysis';
import { collectProblems } from './collect-problems.ts';
import type { Project } from './open-project.ts';
import { readJsonFile } from './read-json-file.ts';

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
