import type { RunOutcomes } from '../run-outcomes.ts';

/** Conditions on a whole run, each optional. Plain JSON. */
export interface Gates {
  /** The least pass rate, 0 to 1, for the lower end of its interval. */
  readonly passRate?: number | undefined;
  /** By criterion: the least mean for the lower end of its interval; if lower is better, the largest mean for the upper end. */
  readonly means?: Readonly<Record<string, number>> | undefined;
  /**
   * By criterion: a limit for a quantile over cases, such as 95% of latencies, that the end of its interval must not exceed (or fall below,
   * if higher is better).
   */
  readonly quantiles?: Readonly<Record<string, { readonly q: number; readonly limit: number }>> | undefined;
  /** The least probability that all of `k` repeats of a case pass (pass^k), for the lower end of its interval. */
  readonly passHatK?: { readonly k: number; readonly rate: number } | undefined;
  /** The largest share of cases that may be flaky: some repeats pass, others fail. */
  readonly flakyShare?: number | undefined;
  /** The pass rate that every case must be shown to reach over its repeats. */
  readonly casePassRate?: number | undefined;
  /**
   * The largest mean cost of a conversation, in the currency of the prices, for the upper end of its interval. Only the agent's own calls
   * to models count.
   */
  readonly cost?: number | undefined;
  /** No regression against a baseline: the smallest change that counts, or `true` for the default. */
  readonly regression?: boolean | number | undefined;
  /** A fall of the pass rate by this share against a baseline must be ruled out: 0.05 is 5 points. */
  readonly noWorseThan?: number | undefined;
}

/** The result of a gate. Plain JSON. */
export interface GateResult {
  /** The name in a config: `pass_rate`, `means.response_match_score`. */
  readonly name: string;
  /** `null` if the gate cannot tell. */
  readonly holds: boolean | null;
  /** A sentence without its full stop. */
  readonly text: string;
}

/** The result of a gate without its name. */
export type Finding = Omit<GateResult, 'name'>;

/** The context of a gate, besides a run and the limit in a config. */
export interface GateContext {
  /** The confidence level of intervals. */
  readonly level: number;
  /** How many runs are compared with the baseline at once. */
  readonly comparisons: number;
  /** An earlier run that found a regression. */
  readonly confirms: RunOutcomes | undefined;
  readonly baseline: Baseline;
}

/** The context of a gate that compares a run with a baseline. */
export interface Against extends GateContext {
  readonly baseline: RunOutcomes;
}

/** The run to compare with; `null` if there is none, so that no gate asks for it. */
export type Baseline = RunOutcomes | null;
