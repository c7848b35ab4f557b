import type { Interval, Unknown } from '@agent-criteria/statistics';

/** A number that a run gives for an agent, and how certain it is. Plain JSON. */
export interface Estimate {
  /** The mean over cases; `null`: no case has a value. */
  readonly value: number | null;
  /** Where the true value lies, at the level of the analysis; or why that is unknown. */
  readonly interval: Interval | Unknown;
  /** How many cases have a value. */
  readonly cases: number;
  /** How many values they have together: one for each repeat that was judged. */
  readonly values: number;
  /** How many groups there are where cases have one, each case without a group alone; `null`: none has. */
  readonly groups: number | null;
  /** How many cases should have a value and have none, or only a part of one. */
  readonly unjudged: number;
  /**
   * What the mean would be had everything that could not be judged come out at its worst, and at its best; `null` where all was
   * judged. An end that has no limit is `null`.
   */
  readonly bounds: { readonly worst: number | null; readonly best: number | null } | null;
}

/** The values of one case. */
export interface CaseValues {
  readonly group: string | null;
  /** One for each repeat that has one; may be empty. */
  readonly values: readonly number[];
  /** Whether a part of it could not be judged, and what the case would then be at its worst and best. */
  readonly open: OpenEnds | null;
}

export interface OpenEnds {
  readonly worst: number | null;
  readonly best: number | null;
  /** How many repeats have no value at all. */
  readonly missing: number;
}

/** The values of one case in two runs. */
export interface ValuePair {
  readonly base: CaseValues;
  readonly candidate: CaseValues;
}
