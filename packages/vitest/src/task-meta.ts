import type { CriterionVerdict, Verdict } from '@agent-criteria/core/host';

/**
 * The result of an eval case for reporters, available as `meta()` of its test and as `meta` in Vitest's JSON report.
 */
export interface EvalCaseMeta {
  readonly setId: string;
  readonly caseId: string;
  /** The name of the variant, if the agent has one. */
  readonly variant?: string | undefined;
  readonly verdict: Verdict;
  /** Results by criterion, in the order of the config; empty if the agent failed. */
  readonly criteria: readonly {
    readonly name: string;
    /** The score, or `null` if there is none. */
    readonly score: number | null;
    /** The threshold, or `null` if the criterion only measures. */
    readonly threshold: number | null;
    readonly verdict: CriterionVerdict;
  }[];
  /** The scores on one line, safe to print. */
  readonly text: string;
}

declare module 'vitest' {
  interface TaskMeta {
    /** Set on tests created by `describeEvalSet`, once they have run. */
    agentCriteria?: EvalCaseMeta | undefined;
    /** Set on groups of `describeEvalSet`: the files that they depend on without importing them, with forward slashes. */
    agentCriteriaFiles?: readonly string[] | undefined;
  }
}
