import { basename, resolve } from 'node:path';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { Summary } from '@agent-criteria/core/host';
import type { SecretMask } from '@agent-criteria/masking';
import type { CaseSelection, OutcomeRecord } from '@agent-criteria/results';
import type { Redaction } from '../engine/redact.ts';
import type { Journal } from '../journal/journal.ts';
import { existsSync } from '../node-fs.ts';
import { timeNow } from '../own-globals.ts';
import { countCases, type PlannedSet } from '../planned-set.ts';
import { shownPath } from '../shown-path.ts';
import { openBlobs } from './blobs.ts';
import { runChanges, scoringChanges } from './changes.ts';
import {
  type AgentFacts,
  describeRun,
  keepContents,
  maskPlans,
  maskRunPlan,
  maskScoringPlan,
  type RunPlans,
  readRunPlan,
  readScoringPlan,
  type VariantFacts,
  writeNewRun,
  writeScoringPlan,
} from './create-run.ts';
import { openFolderJournal } from './folder-journal.ts';
import { layout } from './layout.ts';
import type { Lease, LeaseOptions } from './lease.ts';
import { listScorings, newScoring } from './list-scorings.ts';
import { makeFolder } from './make-folder.ts';
import { openRun } from './open-run.ts';
import { writeOutcome } from './outcome-file.ts';
import type { AgentRecord, RunPlan, ScoringPlan } from './plan-file.ts';
import { readSummary, type SummaryFile, summarySource, writeSummary } from './summary-file.ts';
import { withLease } from './with-lease.ts';
import { notBegun } from './write-failed.ts';

/** A run whose folder this process writes. Closing the journal releases the folder. */
export interface KeptRun {
  readonly folder: string;
  /** Which scoring the scores belong to; 0: none. */
  readonly scoring: number;
  readonly journal: Journal;
  readonly warnings: readonly Problem[];
  /** Aborts when another process has taken the run over. */
  readonly lost: AbortSignal;
  /** Records the outcome of the run. @returns The problems that prevented it. */
  record(outcome: OutcomeRecord): readonly Problem[];
  /** Everything is done. */
  finish(summary: Summary): void;
}

export interface KeepRunOptions {
  /** An absolute path: an agent may change the working folder. */
  readonly folder: string;
  readonly lease?: LeaseOptions | undefined;
  /** What the paths of the sets and the agent are relative to. Default: the working folder. */
  readonly workingFolder?: string | undefined;
  readonly sets: readonly PlannedSet[];
  readonly agent: AgentFacts;
  /** Several agents, in place of the one. */
  readonly variants?: readonly VariantFacts[] | undefined;
  readonly repeats: number;
  readonly auto?: RunPlan['auto'];
  /** Which cases of the sets were asked for. Default: all. */
  readonly selection?: CaseSelection | undefined;
  /** The gates of the run. Default: none. */
  readonly gates?: ScoringPlan['gates'];
  readonly redaction: Redaction;
  /** `false`: inferences only. */
  readonly judge: boolean;
}

/** Begins or continues the run of a folder. @throws CriteriaError RUN_CHANGED, RUN_LOCKED, WRITE_FAILED. */
export async function keepRun(options: KeepRunOptions): Promise<KeptRun> {
  try {
    return await openOrBegin(options);
  } catch (error) {
    throw existsSync(layout.plan(options.folder)) ? error : notBegun(error);
  }
}

async function openOrBegin(options: KeepRunOptions): Promise<KeptRun> {
  const { folder, workingFolder, sets, agent, variants, repeats, auto, selection, gates, redaction, judge } = options;
  makeFolder(folder);
  return withLease(folder, options.lease ?? {}, async (lease) => {
    const before = existsSync(layout.plan(folder)) ? readRunPlan(folder) : null;
    // A folder of runs has one for each, under its id.
    const id = before?.id ?? basename(resolve(folder));
    const described = describeRun({
      sets,
      agent,
      variants,
      repeats,
      auto,
      id,
      now: timeNow(),
      selection: before?.selection ?? selection,
      gates,
      workingFolder,
    });
    const plans = { ...described, ...maskPlans(described, redaction.mask) };
    let scoring = 1;
    let warnings: readonly Problem[] = [];
    if (before === null) {
      writeNewRun(folder, plans, judge, openBlobs(folder, lease.check), redaction);
    } else {
      ({ scoring, warnings } = continueRun(folder, before, plans, { judge, mask: redaction.mask }));
      if (judge && scoring === 0) {
        scoring = newScoring(folder);
        const contents = before.sets.map((set) => set.content);
        writeScoringPlan(folder, { ...plans.scoring, scoring }, contents);
      }
    }
    const units = auto ? null : countCases(sets) * repeats * (variants?.length ?? 1);
    return openKept(folder, judge ? scoring : null, { units, warnings, lease });
  });
}

export interface KeepScoringOptions {
  /** An absolute path. */
  readonly folder: string;
  readonly lease?: LeaseOptions | undefined;
  /** The run that is scored, as its folder says. */
  readonly plan: RunPlan;
  readonly sets: readonly PlannedSet[];
  /** Which cases were asked for. Default: all that the run has. */
  readonly selection?: CaseSelection | undefined;
  /** The gates of the scoring. Default: none. */
  readonly gates?: ScoringPlan['gates'];
  readonly redaction: Redaction;
}

/** Begins another scoring of a run, or continues the last one when it is of the same and was interrupted. */
export function keepScoring(options: KeepScoringOptions): Promise<KeptRun> {
  const { folder, plan, sets, selection = plan.selection, gates, redaction } = options;
  return withLease(folder, options.lease ?? {}, async (lease) => {
    const { repeats, auto } = plan;
    const agent = { name: plan.agent.name, path: null };
    const now = describeRun({ sets, agent, repeats, id: plan.id, now: timeNow(), selection, gates });
    const safe = maskScoringPlan(now.scoring, redaction.mask);
    const scoring = numberOf(folder, safe, redaction.mask);
    if (!listScorings(folder).includes(scoring)) {
      const contents = keepContents(now.contents, openBlobs(folder, lease.check), redaction);
      writeScoringPlan(folder, { ...safe, scoring }, contents);
    }
    const units = auto ? null : countCases(sets) * repeats * (plan.variants?.length ?? 1);
    return openKept(folder, scoring, { units, warnings: [], lease });
  });
}

interface KeptFacts {
  /** How many there are; `null`: as many as ran. */
  readonly units: number | null;
  readonly warnings: readonly Problem[];
  readonly lease: Lease;
}

async function openKept(folder: string, scoring: number | null, facts: KeptFacts): Promise<KeptRun> {
  const { units, warnings, lease } = facts;
  /** What there is when the folder is released: whoever writes it next makes another summary. */
  let madeFrom: SummaryFile['madeFrom'] | null = null;
  const release = (): void => {
    if (scoring !== null) madeFrom = summarySource(folder, scoring);
    lease.release();
  };
  const journal = await openFolderJournal(folder, scoring, { ...lease, release });
  return {
    folder,
    scoring: scoring ?? 0,
    journal,
    warnings,
    lost: lease.lost,
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

/** What is wrong with scores, and in which file. */
export function inScores(
  problems: readonly Problem[],
  { folder, scoring }: Pick<KeptRun, 'folder' | 'scoring'>,
  workingFolder: string,
): Problem[] {
  const file = shownPath(layout.scores(folder, scoring), workingFolder) ?? undefined;
  // A setting that an agent does not support does not concern the file.
  return problems.map((problem) => (problem.code === 'NOT_SUPPORTED' ? problem : { ...problem, file }));
}

/** A new number, or that of the last scoring when it is of the same and was interrupted. */
function numberOf(folder: string, now: ScoringPlan, mask: SecretMask | null): number {
  const last = listScorings(folder).at(-1);
  const goesOn =
    last !== undefined &&
    readSummary(folder, last) === null &&
    scoringChanges(maskScoringPlan(readScoringPlan(folder, last), mask), now).length === 0;
  return goesOn ? last : newScoring(folder);
}

/** Which scoring goes on (0: none yet). @throws CriteriaError RUN_CHANGED, naming everything that is different. */
function continueRun(
  folder: string,
  before: RunPlan,
  now: RunPlans,
  { judge, mask }: { readonly judge: boolean; readonly mask: SecretMask | null },
): { readonly scoring: number; readonly warnings: readonly Problem[] } {
  const scoring = listScorings(folder).at(-1) ?? 0;
  const changes = [
    ...runChanges(maskRunPlan(before, mask), now.run),
    ...(judge && scoring > 0
      ? scoringChanges(maskScoringPlan(readScoringPlan(folder, scoring), mask), now.scoring)
      : []),
  ].filter(({ message }, index, all) => all.findIndex((other) => other.message === message) === index);
  if (changes.length > 0) {
    const advice = 'start a new run, or score this one with the new config';
    throw new CriteriaError(
      changes.map((problem, index) =>
        index === 0 ? { ...problem, message: `${problem.message}; ${advice}` } : problem,
      ),
    );
  }
  const changed = [
    ...agentChanges(before.agent, now.run.agent, 'the agent'),
    ...(before.variants ?? []).flatMap((one, index) => {
      const today = now.run.variants?.[index];
      return today === undefined ? [] : agentChanges(one, today, `the agent of the variant "${one.variant}"`);
    }),
  ];
  return { scoring, warnings: changed };
}

function agentChanges(before: AgentRecord, now: AgentRecord, whose: string): Problem[] {
  const { hash, path, agentName } = before;
  if ((hash === null || now.hash === hash) && agentName === now.agentName) return [];
  const message = `${whose} has changed since this run began: the run has inferences from before and after the change`;
  return [{ code: 'RUN_CHANGED', message, ...(path === null ? {} : { file: path }) }];
}
