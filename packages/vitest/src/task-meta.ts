import type { CriterionVerdict, Verdict } from '@agent-criteria/core/host';

/** The result of an eval case for reporters: in `meta()` of its test, and in `meta` of Vitest's JSON report. */
export interface EvalCaseMeta {
  readonly setId: string;
  readonly caseId: string;
  /** The name of the agent, if there are several. */
  readonly variant?: string | undefined;
  readonly verdict: Verdict;
  /** Results by each criterion in the config, in its order; empty if the agent failed. */
  readonly criteria: readonly {
    readonly name: string;
    /** `null` if there is no score. */
    readonly score: number | null;
    /** `null` if the criterion only measures. */
    readonly threshold: number | null;
    readonly verdict: CriterionVerdict;
  }[];
  /** The scores on one line, safe to print. */
  readonly text: string;
}

declare module 'vitest' {
  interface TaskMeta {
    /** Set on the tests of `describeEvalSet` after they have run. */
    agentCriteria?: EvalCaseMeta | undefined;
  }
}
