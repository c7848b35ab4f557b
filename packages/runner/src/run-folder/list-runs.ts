import { basename, join } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import type { Summary } from '@agent-criteria/core/host';
import type { KnownOutcome, RunCriterion, RunInfo } from '@agent-criteria/results';
import { readdirSync, statSync } from '../node-fs.ts';
import { layout, listScorings } from './layout.ts';
import { isWritten } from './lease.ts';
import { agentText, openRun } from './open-run.ts';
import { readOutcome } from './outcome-file.ts';
import type { ScoringPlan } from './plan-file.ts';
import { readRunPlan, readScoringPlan } from './plan-file.ts';
import { readSummary, type SummaryFile } from './summary-file.ts';

/** A run as a line of a list. Plain JSON. */
export interface RunListing {
  readonly id: string;
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** `null`: it has not come to its end. */
  readonly endedAt: number | null;
  readonly agent: string;
  /** The agents that ran side by side, in their order; absent where there was one. */
  readonly variants?: readonly string[] | undefined;
  readonly sets: readonly string[];
  readonly repeats: number;
  /** Cases may have stopped before so many repeats; absent: each ran as often. */
  readonly auto?: RunInfo['auto'];
  /**
   * By what the last scoring judged, over all sets, each rule once; what is measured in every run is left out.
   * Empty where it was never scored.
   */
  readonly criteria: readonly Pick<RunCriterion, 'name' | 'threshold' | 'range' | 'minCoverage'>[];
  /** How often it was scored. */
  readonly scorings: number;
  readonly units: RunInfo['units'];
  /** Of the last scoring; `null` when there is none. */
  readonly summary: Summary | null;
  /** The outcome of the last scoring; `null` if there is none. It is checked by the sizes of the files, not by their content. */
  readonly outcome: KnownOutcome | null;
  /** Whether a process writes it now. */
  readonly running: boolean;
  /** Why it cannot be read, when it cannot. */
  readonly problem?: string | undefined;
}

/**
 * The runs of a folder of runs, the newest last. What is no run is left out; a run that cannot be read says why.
 * @throws CriteriaError FILE_UNREADABLE where the folder of runs is there and cannot be read.
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

/** A run as a line of a list; `null` for a folder that is none. One that cannot be read says why. */
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
  const kept = last === undefined ? null : readSummary(folder, last);
  const { units, summary, endedAt } = kept ?? fromLines(folder);
  const scoringPlan = last === undefined ? null : { ...readScoringPlan(folder, last), scoring: last };
  return {
    id: plan.id,
    folder,
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
    outcome: scoringPlan === null ? null : outcomeOf(folder, scoringPlan, { units, summary, endedAt }),
    running: isWritten(folder),
  };
}

function outcomeOf(
  folder: string,
  plan: ScoringPlan,
  { units, summary, endedAt }: Pick<SummaryFile, 'units' | 'summary'> & { readonly endedAt: number | null },
): KnownOutcome {
  const finished = endedAt !== null && units.finished >= units.total;
  return readOutcome(folder, { plan, summary, finished, thorough: false });
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

/** Changes whenever the run does: a cache of what is in a run compares it before using what it has. */
export function runStamp(folder: string): string {
  const last = listScorings(folder).at(-1);
  const ofScoring = [layout.scoringPlan, layout.scores, layout.outcome, layout.summary];
  const files = [
    layout.plan(folder),
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
