import type { Range } from '@agent-criteria/core';
import type { CriterionVerdict, Verdict } from '@agent-criteria/core/host';

/** The cases of a run as columns of a matrix have them: one for each variant. */
export interface RunColumns {
  readonly run: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly agent: string;
  /** Names of the variants, in order. Empty for a single agent. */
  readonly variants: readonly string[];
  /** Ids of the eval sets. */
  readonly sets: readonly string[];
  readonly criteria: readonly MatrixCriterion[];
  readonly cases: readonly MatrixCase[];
}

export interface MatrixCriterion {
  readonly name: string;
  /** `null` for a criterion that only measures. */
  readonly threshold: number | null;
  readonly range: Range;
}

export interface MatrixCase {
  /** Position of its set in `sets`. */
  readonly set: number;
  readonly id: string;
  /** Position of its variant in `variants`. Absent for a single agent. */
  readonly variant?: number | undefined;
  readonly verdict: Verdict;
  /** Repeats that passed, and all of them. */
  readonly passed: number;
  readonly of: number;
  /** By position in `criteria`. `null` if the case is not judged by it. */
  readonly scores: readonly (readonly [verdict: CriterionVerdict, score: number | null] | null)[];
  /** Beginning of the last answer. Absent unless answers are requested, or if there is none. */
  readonly answer?: string | undefined;
  /** Differs if any answer of the conversation differs. Absent unless answers are requested. */
  readonly answers?: string | undefined;
}
