import { CriteriaError } from '@agent-criteria/core';
import { type KnownOutcome, withProblems } from '@agent-criteria/results';
import type { OpenedRun } from './open-run.ts';
import { writeOutcome } from './outcome-file.ts';

/**
 * Adds what went wrong after a run had ended to its recorded outcome. Where that is not recorded, or cannot be written, the folder
 * stays as it is.
 *
 * @param problems Clauses without a full stop: `the report could not be written`.
 * @returns The outcome with them.
 */
export function addToOutcome(
  run: Pick<OpenedRun, 'folder' | 'outcome' | 'info'>,
  problems: readonly string[],
): KnownOutcome | undefined {
  const { folder, outcome, info } = run;
  if (outcome?.state !== 'recorded' || problems.length === 0) return outcome;
  const { state, ...record } = outcome;
  const changed = withProblems(record, problems);
  try {
    writeOutcome(folder, info.scoring, changed);
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
  }
  return { state, ...changed };
}
