import { basename, resolve } from 'node:path';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { Summary } from '@agent-criteria/core/host';
import type { SecretMask } from '@agent-criteria/masking';
import type { CaseSelection, OutcomeRecord } from '@agent-criteria/results';
import type { Redaction } from '../engine/redact.ts';
import type { Journal } from '../journal/journal.ts';
import { existsSync } from '../node-fs.ts';
import { timeNow } from '../own-globals.ts';
import { shownPath } from '../paths.ts';
import { countCases, type PlannedSet } from '../planned-set.ts';
import type { CheckedSettings } from '../settings.ts';
import { openBlobs } from './blobs.ts';
import { describeRun, maskPlans, maskScoringPlan, type RunDescription } from './describe-run.ts';
import { openFolderJournal } from './folder-journal.ts';
import { layout, listScorings, makeFolder, newScoring } from './layout.ts';
import { type Lease, type LeaseOptions, withLease } from './lease.ts';
import { openRun } from './open-run.ts';
import { writeOutcome } from './outcome-file.ts';
import { checkUnchanged, scoringChanges } from './plan-changes.ts';
import type { GateName, RunPlan, ScoringPlan } from './plan-file.ts';
import { keepContents, readRunPlan, readScoringPlan, writeNewRun, writeScoringPlan } from './plan-file.ts';
import { writeRunName } from './run-name.ts';
import { readSummary, type SummaryFile, summarySource, writeSummary } from './summary-file.ts';
import { notBegun } from './write-file.ts';

/** A run to whose folder this process writes. Closing the journal releases the folder. */
export interface SavedRun {
  readonly folder: string;
  /** The scoring pass to which scores belong, or 0 if there is none. */
  readonly scoring: number;
  readonly journal: Journal;
  readonly warnings: readonly Problem[];
  /** The scores file, relative to the working folder if it is inside. */
  readonly scoresFile: string;
  /** The gates that the run started with. */
  readonly gates: readonly GateName[];
  /** Makes the run end if another process takes over the folder, because its results would be lost. */
  withLoss(settings: CheckedSettings): CheckedSettings;
  /** Records the outcome of the run. @returns the problems that prevented this. */
  record(outcome: OutcomeRecord): readonly Problem[];
  /** Writes the summary of a complete run. */
  finish(summary: Summary): void;
}

export interface SaveRunOptions extends RunDescription {
  /** An absolute path, because an agent may change the working folder. */
  readonly folder: string;
  readonly lease?: LeaseOptions | undefined;
  readonly redaction: Redaction;
  /** A name for a new run. Default: none. */
  readonly name?: string | undefined;
  /** `false` to only run inferences. */
  readonly judge: boolean;
}

/** Starts or resumes the run in a folder. @throws CriteriaError RUN_CHANGED, RUN_LOCKED, WRITE_FAILED. */
export async function saveRun(options: SaveRunOptions): Promise<SavedRun> {
  try {
    return await beginOrResume(options);
  } catch (error) {
    throw existsSync(layout.plan(options.folder)) ? error : notBegun(error);
  }
}

async function beginOrResume(options: SaveRunOptions): Promise<SavedRun> {
  const { folder, lease: how = {}, redaction, judge, sets, repeats, variants, auto, workingFolder } = options;
  makeFolder(folder);
  return withLease(folder, how, async (lease) => {
    const before = existsSync(layout.plan(folder)) ? readRunPlan(folder, workingFolder) : null;
    // A run folder is named after the run's id.
    const id = before?.id ?? basename(resolve(folder));
    const selection = before?.selection ?? options.selection;
    const described = describeRun({ ...options, selection }, id, timeNow());
    const plans = { ...described, ...maskPlans(described, redaction.mask) };
    let scoring = 1;
    let warnings: readonly Problem[] = [];
    if (before === null) {
      if (options.name !== undefined) writeRunName(folder, options.name);
      writeNewRun(folder, plans, judge, openBlobs(folder, lease.check), redaction, workingFolder);
    } else {
      ({ scoring, warnings } = checkUnchanged(folder, before, plans, { judge, mask: redaction.mask, workingFolder }));
      if (judge && scoring === 0) {
        scoring = newScoring(folder);
        const contents = before.sets.map((set) => set.content);
        writeScoringPlan(folder, { ...plans.scoring, scoring }, contents, workingFolder);
      }
    }
    const units = auto ? null : countCases(sets) * repeats * (variants?.length ?? 1);
    return openSaved(folder, judge ? scoring : null, { units, warnings, lease, workingFolder });
  });
}

export interface SaveScoringOptions {
  /** An absolute path. */
  readonly folder: string;
  readonly lease?: LeaseOptions | undefined;
  /** The plan of the run to score. */
  readonly plan: RunPlan;
  readonly sets: readonly PlannedSet[];
  /** Which cases were selected. Default: the run's selection. */
  readonly selection?: CaseSelection | undefined;
  /** The gates of the scoring pass. Default: none. */
  readonly gates?: ScoringPlan['gates'];
  readonly redaction: Redaction;
}

/** Starts another scoring pass of a run, or resumes the last one if it has the same plan and was interrupted. */
export function saveScoring(options: SaveScoringOptions): Promise<SavedRun> {
  const { folder, plan, sets, selection = plan.selection, gates, redaction } = options;
  return withLease(folder, options.lease ?? {}, async (lease) => {
    const { repeats, auto } = plan;
    const agent = { name: plan.agent.name, path: null };
    const now = describeRun({ sets, agent, repeats, selection, gates }, plan.id, timeNow());
    const safe = maskScoringPlan(now.scoring, redaction.mask);
    const scoring = numberFor(folder, safe, redaction.mask);
    if (!listScorings(folder).includes(scoring)) {
      const contents = keepContents(now.contents, openBlobs(folder, lease.check), redaction);
      writeScoringPlan(folder, { ...safe, scoring }, contents);
    }
    const units = auto ? null : countCases(sets) * repeats * (plan.variants?.length ?? 1);
    return openSaved(folder, scoring, { units, warnings: [], lease, workingFolder: undefined });
  });
}

interface SavedFacts {
  /** The number of units, or `null` for as many as ran. */
  readonly units: number | null;
  readonly warnings: readonly Problem[];
  readonly lease: Lease;
  readonly workingFolder: string | undefined;
}

async function openSaved(folder: string, scoring: number | null, facts: SavedFacts): Promise<SavedRun> {
  const { units, warnings, lease, workingFolder } = facts;
  /** The sizes of the files when the folder is released. After that, any other writer writes its own summary. */
  let madeFrom: SummaryFile['madeFrom'] | null = null;
  const release = (): void => {
    if (scoring !== null) madeFrom = summarySource(folder, scoring);
    lease.release();
  };
  const journal = await openFolderJournal(folder, scoring, { ...lease, release });
  const scoresFile = layout.scores(folder, scoring ?? 0);
  return {
    folder,
    scoresFile: shownPath(scoresFile, workingFolder) ?? scoresFile,
    gates: (scoring === null ? undefined : readScoringPlan(folder, scoring).gates) ?? [],
    scoring: scoring ?? 0,
    journal,
    warnings,
    withLoss(settings) {
      const { signal } = settings;
      return { ...settings, signal: signal === undefined ? lease.lost : AbortSignal.any([signal, lease.lost]) };
    },
    record(outcome) {
      if (scoring === null || madeFrom === null) return [];
      try {
        writeOutcome(folder, scoring, outcome, madeFrom);
        return [];
      } catch (error) {
        if (!CriteriaError.is(error)) throw error;
        return error.problems;
      }
    },
    finish(summary) {
      if (scoring === null || madeFrom === null) return;
      const all = units ?? openRun(folder, { scoring }).info.units.total;
      writeSummary(folder, scoring, { summary, units: all, madeFrom });
    },
  };
}

/** Returns a new number, or the number of the last scoring pass if it has the same plan and was interrupted. */
function numberFor(folder: string, now: ScoringPlan, mask: SecretMask | null): number {
  const last = listScorings(folder).at(-1);
  const goesOn =
    last !== undefined &&
    readSummary(folder, last) === null &&
    scoringChanges(maskScoringPlan(readScoringPlan(folder, last), mask), now).length === 0;
  return goesOn ? last : newScoring(folder);
}
