import type { ComparedCase, RunComparison } from '@agent-criteria/analysis';

/** Two runs, or a variant of each, with every case of both. Plain JSON. */
export interface ComparedRuns {
  readonly comparison: RunComparison;
  readonly cases: readonly ComparedCase[];
}
