import { basename, join } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import type { Summary } from '@agent-criteria/core/host';
import type { CaseSelection, KnownOutcome, RunCommit, RunCriterion, RunInfo } from '@agent-criteria/results';
import { readdirSync, statSync } from '../node-fs.ts';
import { layout, listScorings } from './layout.ts';
import { isWritten } from './lease.ts';
import { agentText, openRun } from './open-run.ts';
import { readOutcome } from './outcome-file.ts';
import { readRunPlan, readScoringPlan, type ScoringPlan } from './plan-file.ts';
import { readRunName } from './run-name.ts';
import { readSummary } from './summary-file.ts';

/** A run as listed. Plain JSON. */
export interface RunListing {
  readonly id: string;
  readonly folder: string;
  /** The name that a person gave it; absent if it has none. */
  readonly name?: string | undefined;
  /** The commit that it started from; absent if it is not known. */
  readonly commit?: RunCommit | undefined;
  /** Which cases the last scoring pass was restricted to; absent if all cases of the eval sets were selected. */
  readonly selection?: CaseSelection | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch, or `null` if the run has not finished. */
  readonly endedAt: number | null;
  readonly agent: string;
  /** The names of the variants, in order; absent for a single agent. */
  readonly variants?: readonly string[] | undefined;
  readonly sets: readonly string[];
  readonly repeats: number;
  /** Present if cases may stop before the last repeat. */
  readonly auto?: RunInfo['auto'];
  /**
   * The criteria of the last scoring pass over all sets, without duplicates and without those that every run measures.
   * Empty if the run was never scored.
   */
  readonly criteria: readonly Pick<RunCriterion, 'name' | 'threshold' | 'range' | 'minCoverage'>[];
  /** The number of scoring passes. */
  readonly scorings: number;
  readonly units: RunInfo['units'];
  /** The summary of the last scoring pass, or `null` if there is none. */
  readonly summary: Summary | null;
  /**
   * The outcome of the last scoring pass, or `null` if there is none. Only the sizes of its files are checked, not
   * their contents.
   */
  readonly outcome: KnownOutcome | null;
  /** Whether a process is currently writing to the run. */
  readonly running: boolean;
  /** Why the run cannot be read, if it cannot. */
  readonly problem?: string | undefined;
}

/**
 * Lists the runs in a folder, newest last. Other folders are skipped. A run that cannot be read has a `problem`.
 * @throws CriteriaError FILE_UNREADABLE if the folder exists but cannot be read.
 */
export function listRuns(runsFolder: string): RunListing[] {
  let names: string[];
  try {
    names = readdirSync(runsFolder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    const message = `the saved runs cannot be listed: ${(error as Error).message}`;
    throw new CriteriaError({ code: 'FILE_UNREADABLE', file: runsFolder, message }, { cause: error });
  }
  const listings = names.flatMap((name) => listRun(join(runsFolder, name)) ?? []);
  return listings.sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1));
}

/** Returns the listing of one run, or `null` if the folder is not a run. A run that cannot be read has a `problem`. */
export function listRun(folder: string): RunListing | null {
  try {
    return readListing(folder);
  } catch (error) {
    if (CriteriaError.is(error) && error.code === 'RUN_NOT_FOUND') return null;
    return unreadable(basename(folder), folder, error);
  }
}

function readListing(folder: string): RunListing {
  const plan = readRunPlan(folder);
  const scorings = listScorings(folder);
  const last = scorings.at(-1);
  const { units, summary, endedAt } = (last === undefined ? null : readSummary(folder, last)) ?? fromLines(folder);
  const scoringPlan = last === undefined ? null : { ...readScoringPlan(folder, last), scoring: last };
  const finished = endedAt !== null && units.finished >= units.total;
  const name = readRunName(folder);
  const { selection } = scoringPlan ?? plan;
  return {
    id: plan.id,
    folder,
    ...(name === null ? {} : { name }),
    ...(plan.commit && { commit: plan.commit }),
    ...(selection && { selection }),
    startedAt: plan.createdAt,
    endedAt,
    agent: agentText(plan),
    ...(plan.variants && { variants: plan.variants.map(({ variant }) => variant) }),
    sets: plan.sets.map((set) => set.id),
    repeats: plan.repeats,
    ...(plan.auto && { auto: plan.auto }),
    criteria: scoringPlan === null ? [] : criteriaOf(scoringPlan),
    scorings: scorings.length,
    units,
    summary: last === undefined ? null : summary,
    outcome:
      scoringPlan === null ? null : readOutcome(folder, { plan: scoringPlan, summary, finished, thorough: false }),
    running: isWritten(folder),
  };
}

function criteriaOf({ sets }: ScoringPlan): RunListing['criteria'] {
  const all = sets.flatMap(({ criteria }) => criteria);
  const named = all.filter(({ byDefault }) => byDefault !== true);
  const byRule = new Map(named.map((one) => [JSON.stringify([one.name, one.threshold, one.minCoverage]), one]));
  return [...byRule.values()].map(({ name, threshold, range, minCoverage }) => ({
    name,
    threshold,
    range,
    minCoverage,
  }));
}

function fromLines(folder: string) {
  const { info, summary } = openRun(folder);
  return { units: info.units, endedAt: info.endedAt, summary };
}

function unreadable(id: string, folder: string, error: unknown): RunListing {
  return {
    id,
    folder,
    startedAt: 0,
    endedAt: null,
    agent: '',
    sets: [],
    repeats: 0,
    criteria: [],
    scorings: 0,
    units: { total: 0, finished: 0 },
    summary: null,
    outcome: null,
    running: false,
    problem: error instanceof Error ? error.message : String(error),
  };
}

/** Returns a string that changes with the run's records and its last scoring pass, labels excepted, for caches. */
export function runStamp(folder: string): string {
  const last = listScorings(folder).at(-1);
  const ofScoring = [layout.scoringPlan, layout.scores, layout.outcome, layout.summary];
  const files = [
    layout.plan(folder),
    layout.name(folder),
    layout.files(folder),
    layout.inferences(folder),
    layout.calls(folder),
    ...(last === undefined ? [] : ofScoring.map((file) => file(folder, last))),
  ];
  const stamps = files.map((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined ? 'none' : `${found.size} ${found.mtimeMs} ${found.ino}`;
  });
  return [last ?? 0, ...stamps].join('\n');
}
