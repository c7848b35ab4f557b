import type { Interval, Unknown } from '@agent-criteria/statistics';

/** A number for an agent, with its uncertainty. Plain JSON. */
export interface Estimate {
  /** The mean over cases; `null` if no case has a value. */
  readonly value: number | null;
  /** The confidence interval at the level of the analysis, or the reason why it is unknown. */
  readonly interval: Interval | Unknown;
  /** The number of cases with a value. */
  readonly cases: number;
  /** The number of their values: one for each repeat that was judged. */
  readonly values: number;
  /** The number of groups, in which a case without one counts alone; `null` if no case has a group. */
  readonly groups: number | null;
  /** The number of cases that should have a value and have none, or only a part of one. */
  readonly unjudged: number;
  /**
   * The mean if everything that could not be judged were at its worst or best; `null` if all was judged. An end without a limit is `null`.
   */
  readonly bounds: { readonly worst: number | null; readonly best: number | null } | null;
}

/** The values of one case. */
export interface CaseValues {
  readonly group: string | null;
  /** One value for each repeat that has one. */
  readonly values: readonly number[];
  /** The ends of the case if a part of it could not be judged. */
  readonly open: OpenEnds | null;
}

export interface OpenEnds {
  readonly worst: number | null;
  readonly best: number | null;
  /** The number of repeats without any value. */
  readonly missing: number;
}

/** The values of one case in two runs. */
export interface ValuePair {
  readonly base: CaseValues;
  readonly candidate: CaseValues;
}
