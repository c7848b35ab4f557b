import { resolve } from 'node:path';
import type { Duration } from '@agent-criteria/calls';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { CaseSelection } from '@agent-criteria/results';
import { concludeRun, type GatesOfRun } from './conclude-run.ts';
import { redactionOf } from './engine/redact.ts';
import { execute } from './execute.ts';
import { type PlannedSet, reuseSetIds } from './planned-set.ts';
import type { RunOutcome } from './run.ts';
import { readRunPlan } from './run-folder/create-run.ts';
import { inScores, keepScoring } from './run-folder/keep-run.ts';
import { repeatsThatRan } from './run-folder/repeats-that-ran.ts';
import { leaseOptions, withLoss } from './run-lease.ts';
import { checkPositive, checkRunSettings, type RunSettings } from './settings.ts';

export interface ScoreRunOptions extends Omit<RunSettings, 'turnTimeout' | 'caseTimeout'> {
  /** The folder of the run. */
  readonly folder: string;
  /** The sets of the run as they are to be judged now: other references, rubrics and criteria are welcome. */
  readonly sets: readonly PlannedSet[];
  /** Which cases were asked for, where `sets` has not all that the run has: it is kept, and reports say it. Default: all. */
  readonly selection?: CaseSelection | undefined;
  /** The gates of the scoring. Default: none; gates of configs are not asked. */
  readonly gates?: GatesOfRun | undefined;
  /** How long another process waits for a sign of life before it takes the folder over. Default `"30s"`. */
  readonly lease?: Duration | undefined;
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
  checkPositive({}, { lease: options.lease });
  const { selection, gates } = options;
  // A criterion may change the working folder.
  const workingFolder = resolve('.');
  const folder = resolve(options.folder);
  const plan = readRunPlan(folder);
  const sets = reuseSetIds(plan.sets, options.sets);
  const known = plan.sets.map(({ id }) => id);
  const foreign = sets.filter((set) => !known.includes(set.plan.evalSet.evalSetId));
  if (foreign.length > 0 || sets.length === 0) throw noSuchSets(foreign, known, folder);

  const redaction = redactionOf(options, sets);
  const lease = leaseOptions(options, folder);
  const kept = await keepScoring({ folder, plan, sets, selection, gates: gates?.names, redaction, lease });
  const { journal, scoring, warnings, finish } = kept;
  const { repeats } = plan;
  const repeatsOf = plan.auto && repeatsThatRan(folder, plan);
  const variants = plan.variants?.map(({ variant }) => ({ variant, agent: null })) ?? [{ agent: null }];
  const settings = withLoss(options, kept);
  const done = await execute({ sets, variants, repeats, repeatsOf, judge: true, journal, folder, settings, redaction });
  const { outcome, problems } = await concludeRun(kept, done, { gates, sets, redaction });
  if (done.finished) finish(done.summary);
  const all = [...warnings, ...inScores(done.warnings, kept, workingFolder), ...problems];
  return { ...done, folder, outcome, warnings: all, scoring };
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
