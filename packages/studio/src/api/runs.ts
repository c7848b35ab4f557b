import type { Trend } from '@agent-criteria/analysis';
import type { CriterionVerdict, Summary, Verdict } from '@agent-criteria/core/host';
import type { CaseSelection, RunCommit, RunInfo, RunSet } from '@agent-criteria/results';
import type { ShownOutcome } from '@agent-criteria/results/text';
import type { CaseRow as PageRow, RunProgress } from '@agent-criteria/viewer';

/**
 * Result of the most recent finished run of all cases of an eval set. Only recent runs are considered.
 */
export interface LastRun extends Pick<Summary, 'verdicts' | 'total'> {
  readonly verdict: ShownOutcome['verdict'];
  readonly app: string;
  /** Id of the set in the run. */
  readonly evalSetId: string;
  readonly run: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** Which runs of the history are asked for, and in which order. Every part narrows the list. */
export interface RunQuery {
  /** The app whose agent ran. */
  readonly app?: string | undefined;
  /** Words that all occur in the name, id, eval sets, agent, variants or commit, whatever their case. */
  readonly text?: string | undefined;
  readonly verdict?: RunResult | undefined;
  /** Id of the eval set in the run. */
  readonly set?: string | undefined;
  /** Name of an app, or an agent that is not one of this studio's. */
  readonly agent?: string | undefined;
  readonly variant?: string | undefined;
  /** The beginning of the commit's hash. */
  readonly commit?: string | undefined;
  /** Earliest start, in milliseconds since the epoch. */
  readonly from?: number | undefined;
  /** The start must be earlier than this, in milliseconds since the epoch. */
  readonly until?: number | undefined;
  /** Only these runs, by their ids with spaces between. */
  readonly ids?: string | undefined;
  /** Default `newest`. */
  readonly sort?: RunOrder | undefined;
}

/** Runs without the number that is compared come last, and equal ones newest first. */
export type RunOrder = 'newest' | 'oldest' | 'least-passed' | 'most-passed' | 'longest' | 'shortest';

/** The verdict of a run, or why it has none. */
export type RunResult = ShownOutcome['verdict'] | 'under-way' | 'unfinished' | 'not-judged' | 'unreadable';

export interface RunPage {
  readonly runs: readonly RunSummary[];
  /** Position of the first one in the list. */
  readonly offset: number;
  /** Number of runs that fit the query, or `null` until all runs have been read, which `GET /run-filters` waits for. */
  readonly matching: number | null;
  /** Number of runs across all apps. */
  readonly total: number;
}

/** The values that occur in runs, for filters. */
export interface RunFilters {
  /** Number of the app's runs, or of all. */
  readonly runs: number;
  readonly sets: readonly string[];
  readonly agents: readonly string[];
  readonly variants: readonly string[];
  /** Short hashes of the newest commits, newest first. */
  readonly commits: readonly string[];
}

export interface RunSummary {
  readonly id: string;
  /** The name that a person gave it. */
  readonly name?: string | undefined;
  /** The commit that it started from. Absent if it is not known. */
  readonly commit?: RunCommit | undefined;
  /** Which cases it was restricted to. Absent if all cases of the eval sets were selected. */
  readonly selection?: CaseSelection | undefined;
  /** Whether files whose code it ran differ from those on disk now. Absent if they do not, or if it is not known. */
  readonly olderCode?: true | undefined;
  /** The app in this studio whose agent ran, or `null` if the agent is not one of this studio's. */
  readonly app: string | null;
  readonly agent: string;
  /** Names of the variants. Absent for a single agent. */
  readonly variants?: readonly string[] | undefined;
  readonly sets: readonly string[];
  readonly repeats: number;
  readonly auto?: RunInfo['auto'];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly units: RunInfo['units'];
  /** `null` if the run was not judged. */
  readonly summary: Summary | null;
  /** The outcome, including gates, or `null` if the run was not judged. */
  readonly outcome: ShownOutcome | null;
  readonly state: RunState;
  readonly result: RunResult;
  /** Whether people have labelled its verdicts. Absent if not. */
  readonly labelled?: true | undefined;
  /** Criteria of the last scoring pass. */
  readonly criteria: readonly RunThreshold[];
  /** Error that occurred while reading the run. */
  readonly problem?: string | undefined;
}

/** `threshold` is `null` for an informational criterion. */
export interface RunThreshold {
  readonly name: string;
  readonly threshold: number | null;
  readonly better: 'higher' | 'lower';
}

/**
 * `here`: in flight in this studio. `elsewhere`: in flight in another process, read-only here. `open`: can be resumed.
 */
export type RunState = 'here' | 'elsewhere' | 'open' | 'finished';

export interface RunDetail {
  readonly info: RunInfo;
  readonly sets: readonly RunSet[];
  readonly summary: Summary;
  /** The outcome, including gates, or `null` if the run was not judged. */
  readonly outcome: ShownOutcome | null;
  readonly state: RunState;
  /** Whether files whose code it ran differ from those on disk now. Absent if they do not, or if it is not known. */
  readonly olderCode?: true | undefined;
  /** Whether a model judged the run, so that people can label its verdicts. */
  readonly judged: boolean;
  /** The app in this studio whose agent ran, or `null` if the agent is not one of this studio's. */
  readonly app: string | null;
  /** The run's eval sets that can be edited in this studio. */
  readonly places: readonly RunSetPlace[];
}

export interface RunSetPlace {
  /** Id of the set in the run. */
  readonly runSet: string;
  readonly app: string;
  /** Id of the set in requests. */
  readonly set: string;
}

/** Identifies a case of a run. */
export interface CaseIds {
  readonly setId: string;
  readonly caseId: string;
  readonly variant?: string | undefined;
}

/** Progress of a run in flight, with the rows that have changed since the last message. */
export interface LiveChange {
  readonly progress: RunProgress;
  readonly rows: readonly LiveRow[];
}

/** The changed part of a row. */
export interface LiveRow extends CaseIds {
  readonly row: { readonly [Key in keyof PageRow]?: PageRow[Key] | undefined };
}

/** A row in the grid of a run, without the conversation and evidence. */
export interface CaseRow {
  readonly setId: string;
  readonly caseId: string;
  readonly variant?: string | undefined;
  readonly name: string | null;
  readonly tags: readonly string[];
  readonly verdict: Verdict;
  readonly reason?: string | undefined;
  readonly repeats: number;
  readonly criteria: readonly CriterionCell[];
}

export interface CriterionCell {
  readonly name: string;
  readonly verdict: CriterionVerdict;
  readonly score: number | null;
  readonly threshold: number | null;
  readonly coverage: number | null;
}

/** The metrics of a set across its runs. */
export interface SetTrends {
  readonly trends: readonly Trend[];
  /** Number of runs included. */
  readonly runs: number;
  /** Newer runs of the set that are not included, by reason, such as "of chosen cases only". */
  readonly left: readonly { readonly why: string; readonly runs: number }[];
  /** Whether there are older runs that were not read. */
  readonly older: boolean;
}
