import { join } from 'node:path';

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
