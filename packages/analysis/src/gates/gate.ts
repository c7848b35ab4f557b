import type { RunOutcomes } from '../run-outcomes.ts';

/** Conditions on a whole run, each optional. Plain JSON. */
export interface Gates {
  /** The minimum pass rate, 0 to 1, for the lower end of its interval. */
  readonly passRate?: number | undefined;
  /**
   * The minimum mean by criterion, for the lower end of its interval; the maximum, for the upper end, if lower is
   * better.
   */
  readonly means?: Readonly<Record<string, number>> | undefined;
  /**
   * A limit by criterion on a quantile over cases, such as 95% of latencies, that the end of its interval must not
   * exceed (or fall below, if higher is better).
   */
  readonly quantiles?: Readonly<Record<string, { readonly q: number; readonly limit: number }>> | undefined;
  /** The minimum probability that all `k` repeats of a case pass (pass^k), for the lower end of its interval. */
  readonly passHatK?: { readonly k: number; readonly rate: number } | undefined;
  /** The maximum share of flaky cases, in which some repeats pass and others fail. */
  readonly flakyShare?: number | undefined;
  /** The pass rate that every case must be shown to reach over its repeats. */
  readonly casePassRate?: number | undefined;
  /**
   * The maximum mean cost of a conversation, in the currency of the prices, for the upper end of its interval. Only the
   * agent's own model calls count.
   */
  readonly cost?: number | undefined;
  /** No regression against a baseline: the smallest change that counts, or `true` for the default. */
  readonly regression?: boolean | number | undefined;
  /** The fall of the pass rate against a baseline that must be ruled out, as a share: 0.05 is 5 points. */
  readonly noWorseThan?: number | undefined;
}

/** The result of a gate. Plain JSON. */
export interface GateResult {
  /** The gate's name in a config: `pass_rate`, `means.response_match_score`. */
  readonly name: string;
  /** `null` if the gate cannot tell. */
  readonly holds: boolean | null;
  /** A sentence without the final full stop. */
  readonly text: string;
}

/** The result of a gate without its name. */
export type Finding = Omit<GateResult, 'name'>;

/** The context in which a gate is evaluated, besides the run and the limit from the config. */
export interface GateContext {
  /** The confidence level of intervals. */
  readonly level: number;
  /** The number of runs compared with the baseline at once. */
  readonly comparisons: number;
  /** An earlier run that found a regression. */
  readonly confirms: RunOutcomes | undefined;
  readonly baseline: Baseline;
}

/** The context of a gate that compares a run with a baseline. */
export interface Against extends GateContext {
  readonly baseline: RunOutcomes;
}

/** The run to compare with, or `null` if there is none. */
export type Baseline = RunOutcomes | null;
