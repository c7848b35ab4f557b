import type { Trend } from '@agent-criteria/analysis';

/** The numbers of a set over its runs. */
export interface SetTrends {
  readonly trends: readonly Trend[];
  /** How many runs are in them. */
  readonly runs: number;
  /** Newer runs of the set that are not in them, by the reason: "of chosen cases only". */
  readonly left: readonly { readonly why: string; readonly runs: number }[];
  /** Whether there are older runs, which were not read. */
  readonly older: boolean;
}
