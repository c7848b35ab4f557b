import type { CriterionVerdict, Verdict } from '@agent-criteria/core/host';

/** What the test of an eval case notes for reporters: `meta()` of a test, and `meta` in Vitest's JSON report. */
export interface EvalCaseMeta {
  readonly setId: string;
  readonly caseId: string;
  /** Of several agents, the one that ran the case. */
  readonly variant?: string | undefined;
  readonly verdict: Verdict;
  /** Of the criteria that the config names, in its order; empty where the agent broke. */
  readonly criteria: readonly {
    readonly name: string;
    /** `null`: there is none. */
    readonly score: number | null;
    /** `null`: the criterion only measures. */
    readonly threshold: number | null;
    readonly verdict: CriterionVerdict;
  }[];
  /** The scores on one line, safe to print. */
  readonly text: string;
}

declare module 'vitest' {
  interface TaskMeta {
    /** Of the tests that `describeEvalSet` makes, once they have run. */
    agentCriteria?: EvalCaseMeta | undefined;
  }
}
