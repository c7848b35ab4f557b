import type { ComparedCase, RunComparison } from '@agent-criteria/analysis';

/** Two runs, or one variant of each, with all their cases. Plain JSON. */
export interface ComparedRuns {
  readonly comparison: RunComparison;
  readonly cases: readonly ComparedCase[];
}

/** The data that a comparison page needs before a case is opened. */
export interface ComparedPage {
  readonly title: string;
  readonly names: { readonly base: string; readonly candidate: string };
  readonly runs: ComparedRuns;
}

/** Ids of data elements, shared by the generator and the page. */
export const COMPARISON_ID = 'comparison';
export function comparedBlockId(side: 'base' | 'candidate', place: number): string {
  return `${side}-${place}`;
}
