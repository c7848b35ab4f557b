import type { CaseResult } from '@agent-criteria/core';
import type { UnitInference } from '@agent-criteria/runner';
import type { LoadedPlan } from '@agent-criteria/runner/load';

/** An eval set after its run. */
export interface EvaluatedSet extends LoadedPlan {
  readonly file: string;
  readonly inferences: readonly UnitInference[];
  readonly cases: readonly CaseResult[];
}
