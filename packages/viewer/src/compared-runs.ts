import type { ComparedCase, RunComparison } from '@agent-criteria/analysis';

/** Two runs, or a variant of each, with every case of both. Plain JSON. */
export interface ComparedRuns {
  readonly comparison: RunComparison;
  readonly cases: readonly ComparedCase[];
}

/** What a page of two runs knows before a case is opened. */
export interface ComparedPage {
  readonly title: string;
  readonly names: { readonly base: string; readonly candidate: string };
  readonly runs: ComparedRuns;
}

/** The ids of elements that hold data, shared by who writes the page and who reads it. */
export const COMPARISON_ID = 'comparison';
export function comparedBlockId(side: 'base' | 'candidate', place: number): string {
  return `${side}-${place}`;
}
