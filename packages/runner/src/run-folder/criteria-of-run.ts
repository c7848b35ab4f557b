import { CriteriaError } from '@agent-criteria/core';
import type { RunCriterion } from '@agent-criteria/results';
import { readScoringPlan } from './create-run.ts';
import { listScorings } from './list-scorings.ts';

/** A criterion that a config names, as a line of a list of runs has it. */
export type ListedRunCriterion = Pick<RunCriterion, 'name' | 'threshold'> & { readonly better: 'higher' | 'lower' };

/** What the last scoring of a run judged with, each criterion and threshold once. Reads one small file. */
export function criteriaOfRun(folder: string): readonly ListedRunCriterion[] {
  const last = listScorings(folder).at(-1);
  if (last === undefined) return [];
  const found = new Map<string, ListedRunCriterion>();
  try {
    for (const { criteria } of readScoringPlan(folder, last).sets) {
      for (const { name, threshold, range, byDefault } of criteria) {
        if (byDefault !== true) found.set(`${name} ${threshold}`, { name, threshold, better: range.better });
      }
    }
  } catch (error) {
    // The list says of the run itself that it cannot be read.
    if (!CriteriaError.is(error)) throw error;
  }
  return [...found.values()];
}
