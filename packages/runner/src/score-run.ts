import { resolve } from 'node:path';
import type { Duration } from '@agent-criteria/calls';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { CaseSelection } from '@agent-criteria/results';
import { concludeRun, type GatesOfRun } from './conclude-run.ts';
import { redactionOf } from './engine/redact.ts';
import type { CasesToRun } from './engine/work.ts';
import { execute } from './execute.ts';
import { caseStatus } from './journal/case-status.ts';
import { type PlannedSet, reuseSetIds } from './planned-set.ts';
import type { RunOutcome } from './run.ts';
import { listScorings } from './run-folder/layout.ts';
import { leaseOptions } from './run-folder/lease.ts';
import type { RunPlan } from './run-folder/plan-file.ts';
import { readRunPlan } from './run-folder/plan-file.ts';
import { indexRun, unitStates } from './run-folder/run-index.ts';
import { saveScoring } from './run-folder/saved-run.ts';
import { checkRunSettings, type RunSettings } from './settings.ts';
import { keyText } from './unit-key.ts';

export interface ScoreRunOptions extends Omit<RunSettings, 'turnTimeout' | 'caseTimeout'> {
  /** The folder of the run. */
  readonly folder: string;
  /** The run's sets as they are to be judged now. References, rubrics and criteria may have changed. */
  readonly sets: readonly PlannedSet[];
  /**
   * Which cases were selected, if `sets` does not have all cases of the run. It is stored, and reports mention it.
   * Default: the run's own selection.
   */
  readonly selection?: CaseSelection | undefined;
  /** The gates of the scoring pass. Default: none. Gates in configs are not checked. */
  readonly gates?: GatesOfRun | undefined;
  /**
   * How long a process may go without renewing its lease before another one may take the folder over. Default `"30s"`.
   */
  readonly lease?: Duration | undefined;
}

/** The result of a scoring pass, and its number within the run. */
export interface ScoringOutcome extends RunOutcome {
  readonly scoring: number;
}

/**
 * Scores a recorded run again without running the agent. Earlier scoring passes are kept. An inference is used for a
 * case if what the agent sees of the case is unchanged; a case without a usable inference is an error. An interrupted
 * scoring pass is resumed if its plan is the same.
 *
 * @throws CriteriaError RUN_NOT_FOUND, RUN_LOCKED, or USAGE for a set that is not part of the run.
 */
export async function scoreRun(options: ScoreRunOptions): Promise<ScoringOutcome> {
  const settings = checkRunSettings(options, { lease: options.lease });
  const { selection, gates } = options;
  const folder = resolve(options.folder);
  const plan = readRunPlan(folder);
  const sets = reuseSetIds(plan.sets, options.sets);
  const known = plan.sets.map(({ id }) => id);
  const foreign = sets.filter((set) => !known.includes(set.plan.evalSet.evalSetId));
  if (foreign.length > 0 || sets.length === 0) throw noSuchSets(foreign, known, folder);

  const redaction = redactionOf(options, sets);
  const lease = leaseOptions(options, folder);
  const saved = await saveScoring({ folder, plan, sets, selection, gates: gates?.names, redaction, lease });
  const variants = plan.variants?.map(({ variant }) => ({ variant, agent: null })) ?? [{ agent: null }];
  const done = await execute({
    cases: { sets, variants, repeatsOf: plan.auto && repeatsThatRan(folder, plan) },
    repeats: plan.repeats,
    settings: saved.withLoss(settings),
    redaction,
    journal: saved.journal,
    folder,
  });
  const concluded = await concludeRun(saved, done, { gates, sets, redaction });
  return { ...done, folder, ...concluded, scoring: saved.scoring };
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

/**
 * Returns the repeats of each case in a run whose cases may stop early: those that decided the case in its last
 * complete scoring. A case that was never decided gets all repeats, so that missing ones are noticed.
 */
function repeatsThatRan(folder: string, plan: RunPlan): CasesToRun['repeatsOf'] {
  const all = Array.from({ length: plan.repeats }, (_, repeat) => repeat);
  const scorings = listScorings(folder)
    .reverse()
    .map((scoring) => {
      const states = [...unitStates(indexRun(folder, scoring))];
      return new Map(states.map((state) => [keyText(state.key), state]));
    });
  return (setId, { evalId: caseId }, variant) => {
    const ids = { setId, caseId, ...(variant !== undefined && { variant }) };
    for (const states of scorings) {
      const { verdict, units } = caseStatus(
        all.map((repeat) => states.get(keyText({ ...ids, repeat }))),
        null,
        true,
      );
      if (verdict !== null) return all.slice(0, units.length);
    }
    return all;
  };
}
