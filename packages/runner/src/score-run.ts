import { CriteriaError, type Problem } from '@agent-criteria/core';
import { timeNow } from './own-globals.ts';
import { countCases, type PlannedSet, withIdsOf } from './planned-set.ts';
import { execute, type KeptRun, type RunOutcome, type RunSettings } from './run.ts';
import { openBlobs } from './run-folder/blobs.ts';
import { scoringChanges } from './run-folder/changes.ts';
import { describeRun, keepContents, readRunPlan, readScoringPlan, writeScoringPlan } from './run-folder/create-run.ts';
import { openFolderJournal } from './run-folder/folder-journal.ts';
import { listScorings, newScoring } from './run-folder/list-scorings.ts';
import { lockFolder } from './run-folder/lock.ts';
import type { ScoringPlan } from './run-folder/plan-file.ts';
import { readSummary, writeSummary } from './run-folder/summary-file.ts';
import { checkRunSettings } from './settings.ts';

export interface ScoreRunOptions extends Omit<RunSettings, 'turnTimeout' | 'caseTimeout'> {
  /** The folder of the run. */
  readonly folder: string;
  /** The sets of the run as they are to be judged now: other references, rubrics and criteria are welcome. */
  readonly sets: readonly PlannedSet[];
}

/** What a scoring came to, and its number in the run. */
export interface ScoringOutcome extends RunOutcome {
  readonly scoring: number;
}

/**
 * Scores what a run has recorded once more; the agent is not run, and earlier scorings stay. An inference counts for a
 * case whose messages and session input are as they were; a case without one is an error. A scoring of the same that
 * was interrupted goes on.
 *
 * @throws CriteriaError RUN_NOT_FOUND, RUN_LOCKED, or USAGE for a set that the run does not have.
 */
export async function scoreRun(options: ScoreRunOptions): Promise<ScoringOutcome> {
  checkRunSettings(options);
  const { folder, redact, prices } = options;
  const { scoring: calls = 16 } = options.concurrency ?? {};
  const plan = readRunPlan(folder);
  const sets = withIdsOf(plan.sets, options.sets);
  const known = plan.sets.map(({ id }) => id);
  const foreign = sets.filter((set) => !known.includes(set.plan.evalSet.evalSetId));
  if (foreign.length > 0 || sets.length === 0) throw noSuchSets(foreign, known, folder);

  const unlock = lockFolder(folder);
  try {
    const agent = { name: plan.agent.name, path: null };
    const now = describeRun({ sets, agent, repeats: plan.repeats, id: plan.id, now: timeNow() });
    const blobs = openBlobs(folder);
    const scoring = numberOf(folder, now.scoring);
    if (!listScorings(folder).includes(scoring)) {
      writeScoringPlan(folder, { ...now.scoring, scoring }, keepContents(now.contents, blobs, redact));
    }
    const { repeats } = plan;
    const units = countCases(sets) * repeats;
    const kept: KeptRun = {
      ...{ folder, unlock, warnings: [] },
      journal: openFolderJournal({ folder, scoring, repeats, blobs, redact, prices }),
      finish: (summary) => writeSummary(folder, scoring, summary, units),
    };
    const limits = { turnTimeout: Number.POSITIVE_INFINITY, caseTimeout: Number.POSITIVE_INFINITY };
    const outcome = await execute(
      sets,
      null,
      kept,
      {},
      {
        ...options,
        ...{ repeats, agents: 4, calls, judge: true, ...limits },
      },
    );
    return { ...outcome, scoring };
  } finally {
    unlock();
  }
}

/** A new number, or that of the last scoring when it is of the same and was interrupted. */
function numberOf(folder: string, now: ScoringPlan): number {
  const last = listScorings(folder).at(-1);
  const goesOn =
    last !== undefined &&
    readSummary(folder, last) === null &&
    scoringChanges(readScoringPlan(folder, last), now).length === 0;
  return goesOn ? last : newScoring(folder);
}

function noSuchSets(foreign: readonly PlannedSet[], known: readonly string[], folder: string): CriteriaError {
  if (foreign.length === 0) {
    return new CriteriaError({ code: 'EMPTY', file: folder, message: 'there is no eval set to score' });
  }
  const problems: Problem[] = foreign.map((set) => ({
    code: 'USAGE',
    ...(set.file === null ? {} : { file: set.file }),
    message: `the run has no eval set "${set.plan.evalSet.evalSetId}"; it has ${known.join(', ')}`,
  }));
  return new CriteriaError(problems);
}
