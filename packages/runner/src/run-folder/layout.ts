import { join } from 'node:path';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from '../node-fs.ts';
import { writeFailed } from './write-file.ts';

/** The default folder for runs, inside the project folder. */
export const RUNS_FOLDER = join('.agent-criteria', 'runs');
/**
 * The version of the file formats below. Newer versions are rejected. Older ones can always be read.
 * 2: `gates` of criteria became `decides`; `by` and `to` of calls became `caller` and `target`.
 */
export const FORMAT = 2;

/** The paths of a run's files. */
export const layout = {
  plan: (folder: string) => join(folder, 'plan.json'),
  /** The name that a person gave the run. It can be changed at any time, so no other file depends on it. */
  name: (folder: string) => join(folder, 'name.json'),
  /** The files whose code ran. */
  files: (folder: string) => join(folder, 'files.json'),
  /** The source and the settings of an import that is not complete. */
  import: (folder: string) => join(folder, 'import.json'),
  /** The cases of an import that is not complete, which become a blob. */
  unfinishedCases: (folder: string) => join(folder, 'blobs', 'import.part'),
  inferences: (folder: string) => join(folder, 'inferences.jsonl'),
  calls: (folder: string) => join(folder, 'calls.jsonl'),
  /** The requests and answers of calls, except for the longest, which are blobs. */
  texts: (folder: string) => join(folder, 'texts.jsonl'),
  scorings: (folder: string) => join(folder, 'scorings'),
  scoring: (folder: string, scoring: number) => join(folder, 'scorings', String(scoring)),
  scoringPlan: (folder: string, scoring: number) => join(folder, 'scorings', String(scoring), 'plan.json'),
  scores: (folder: string, scoring: number) => join(folder, 'scorings', String(scoring), 'scores.jsonl'),
  /** Labels of the conversations themselves, which came with them and count for every scoring pass. */
  runLabels: (folder: string) => join(folder, 'labels.jsonl'),
  /** Labels given by people. */
  labels: (folder: string, scoring: number) => join(folder, 'scorings', String(scoring), 'labels.jsonl'),
  /** The verdicts, gates and exit code of the finished scoring pass. */
  outcome: (folder: string, scoring: number) => join(folder, 'scorings', String(scoring), 'outcome.json'),
  /** Derived from the other files, and ignored if their sizes have changed since. */
  summary: (folder: string, scoring: number) => join(folder, 'scorings', String(scoring), 'summary.json'),
} as const;

/** Lists the numbers of a run's scoring passes, in order. */
export function listScorings(folder: string): number[] {
  let names: string[];
  try {
    names = readdirSync(layout.scorings(folder));
  } catch {
    return [];
  }
  // A scoring pass whose plan is missing was never started.
  const numbers = names.filter((name) => /^[1-9]\d*$/.test(name)).map(Number);
  return numbers.filter((scoring) => existsSync(layout.scoringPlan(folder, scoring))).sort((a, b) => a - b);
}

/**
 * Returns an unused number for a new scoring pass. A number stays taken if there are scores under it, even if their
 * plan is lost.
 */
export function newScoring(folder: string): number {
  let scoring = (listScorings(folder).at(-1) ?? 0) + 1;
  while (existsSync(layout.scores(folder, scoring))) scoring += 1;
  return scoring;
}

/** Returns the size of a file in bytes, or 0 if it does not exist. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Creates a run's folder, readable only by its owner and ignored by git. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const ignore = join(folder, '.gitignore');
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
  } catch (error) {
    throw writeFailed(folder, error);
  }
}
