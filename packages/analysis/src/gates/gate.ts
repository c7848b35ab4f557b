import type { RunOutcomes } from '../run-outcomes.ts';

/** Conditions on a whole run, each optional. Plain JSON. */
export interface Gates {
  /** The least pass rate, 0 to 1: the lower end of its interval must reach it. */
  readonly passRate?: number | undefined;
  /**
   * By criterion: the mean that the lower end of its interval must reach; of criteria of which less is better, the upper end
   * must not be above it.
   */
  readonly means?: Readonly<Record<string, number>> | undefined;
  /**
   * By criterion: the most (of criteria of which more is better: the least) that a quantile over cases may be, such as 95% of
   * latencies. The end of its interval must not be beyond it.
   */
  readonly quantiles?: Readonly<Record<string, { readonly q: number; readonly limit: number }>> | undefined;
  /** The least probability that all of `k` repeats of a case pass (pass^k): the lower end of its interval must reach it. */
  readonly passHatK?: { readonly k: number; readonly rate: number } | undefined;
  /** The largest share of cases that may be flaky: some repeats pass, others fail. */
  readonly flakyShare?: number | undefined;
  /** The pass rate that every case must have over its repeats: no case may be shown to lie below it. */
  readonly casePassRate?: number | undefined;
  /**
   * The most that a conversation may cost on average, in the currency of the prices: the upper end of its interval must not be above it. Only
   * the agent's own calls to models count.
   */
  readonly cost?: number | undefined;
  /** No regression is found against a baseline: the smallest change that counts, or `true` for the usual one. */
  readonly regression?: boolean | number | undefined;
  /** Against a baseline, a fall of the pass rate by so much or more, as a share, is ruled out: 0.05 is 5 points. */
  readonly noWorseThan?: number | undefined;
}

/** The result of a gate. Plain JSON. */
export interface GateResult {
  /** As it is written in a config: `pass_rate`, `means.response_match_score`. */
  readonly name: string;
  /** `null`: the gate cannot tell. */
  readonly holds: boolean | null;
  /** A sentence without its full stop. */
  readonly text: string;
}

/** The result of a gate without its name. */
export type Finding = Omit<GateResult, 'name'>;

/** What a gate needs besides a run and the limit that a config gives it. */
export interface GateContext {
  /** The confidence level of intervals. */
  readonly level: number;
  /** How many runs are compared with the baseline at once. */
  readonly comparisons: number;
  /** An earlier run that found a regression. */
  readonly confirms: RunOutcomes | undefined;
  readonly baseline: Baseline;
}

/** What a gate needs that compares a run with a baseline. */
export interface Against extends GateContext {
  readonly baseline: RunOutcomes;
}

/** A run to hold against; `null`: there is none yet, so that no gate asks for one. */
export type Baseline = RunOutcomes | null;
