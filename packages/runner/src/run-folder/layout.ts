import { join } from 'node:path';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from '../node-fs.ts';
import { writeFailed } from './write-file.ts';

/** The folder of runs inside a project, when nothing else is said. */
export const RUNS_FOLDER = join('.agent-criteria', 'runs');
/**
 * The version of the files below. A newer one is refused, an older one is read for ever.
 * 2: `gates` of criteria became `decides`; `by` and `to` of calls became `caller` and `target`.
 */
export const FORMAT = 2;

/** Where everything stands in the folder of a run. */
export const layout = {
  plan: (folder: string) => join(folder, 'plan.json'),
  inferences: (folder: string) => join(folder, 'inferences.jsonl'),
  calls: (folder: string) => join(folder, 'calls.jsonl'),
  /** What calls asked and were answered. */
  texts: (folder: string) => join(folder, 'texts.jsonl'),
  scorings: (folder: string) => join(folder, 'scorings'),
  scoring: (folder: string, scoring: number) => join(folder, 'scorings', String(scoring)),
  scoringPlan: (folder: string, scoring: number) => join(folder, 'scorings', String(scoring), 'plan.json'),
  scores: (folder: string, scoring: number) => join(folder, 'scorings', String(scoring), 'scores.jsonl'),
  /** What people say of what was scored. */
  labels: (folder: string, scoring: number) => join(folder, 'scorings', String(scoring), 'labels.jsonl'),
  /** Verdicts, gates and exit code of the finished scoring. */
  outcome: (folder: string, scoring: number) => join(folder, 'scorings', String(scoring), 'outcome.json'),
  /** Derived, and rebuilt when it is missing or older than what it was made from. */
  summary: (folder: string, scoring: number) => join(folder, 'scorings', String(scoring), 'summary.json'),
} as const;

/** The scorings of a run, in their order. */
export function listScorings(folder: string): number[] {
  let names: string[];
  try {
    names = readdirSync(layout.scorings(folder));
  } catch {
    return [];
  }
  // One without its plan was never begun.
  const numbers = names.filter((name) => /^[1-9]\d*$/.test(name)).map(Number);
  return numbers.filter((scoring) => existsSync(layout.scoringPlan(folder, scoring))).sort((a, b) => a - b);
}

/** A number that no scoring has, nor what is left of one that has lost its plan. */
export function newScoring(folder: string): number {
  let scoring = (listScorings(folder).at(-1) ?? 0) + 1;
  while (existsSync(layout.scores(folder, scoring))) scoring += 1;
  return scoring;
}

/** The bytes of a file; 0 for one that is not there. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Makes the folder of a run: only its owner reads it, and git leaves it alone. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const ignore = join(folder, '.gitignore');
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
  } catch (error) {
    throw writeFailed(folder, error);
  }
}
