import { type CaseResult, createRegistry, resolveEvalConfig, scoreUnit, summariseCase } from '@agent-criteria/core/host';
import { type Criterion, type EvalCase, type Inference, type LanguageModel, type Score } from '@agent-criteria/core';
import { evalSet, unit } from '@agent-criteria/core/testing';

export interface Scoring {
  readonly evalCase: EvalCase;
  readonly inference: Inference;
  readonly judge: LanguageModel;
  /** The options other than the threshold. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Default 1. */
  readonly threshold?: number;
  readonly compat?: 'adk' | null;
}

/** Scores one case through core, from the config to the verdict. */
export async function scoreCase(
  criterion: Criterion,
  { evalCase, inference, judge, options = {}, threshold = 1, compat = null }: Scoring,
): Promise<{ readonly scores: readonly Score[]; readonly result: CaseResult }> {
  const plan = resolveEvalConfig({
    evalSet: evalSet([evalCase]),
    config: { criteria: { [criterion.name]: { threshold, ...options } } },
    registry: createRegistry([criterion]),
    models: () => judge,
    compat,
    scoringOnly: true,
  });
  const scored = await scoreUnit(plan, unit(evalCase), inference);
  return { scores: scored.criteria[0]?.scores ?? [], result: summariseCase(plan, evalCase, [scored]) };
}
