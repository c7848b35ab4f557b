import type { Criterion, EvalCase, Inference, Score } from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig, scoreUnit } from '@agent-criteria/core/host';
import { evalSet, unit } from '@agent-criteria/core/testing';

/** Returns the score that a criterion with these options gives to an inference, as in a run. */
export async function scoreWith(
  criterion: Criterion,
  evalCase: EvalCase,
  inference: Inference,
  options: object = {},
): Promise<readonly Score[]> {
  const plan = resolveEvalConfig({
    evalSet: evalSet([evalCase]),
    config: { criteria: { [criterion.name]: { threshold: 1, ...options } } },
    registry: createRegistry([criterion]),
  });
  const { criteria } = await scoreUnit(plan, unit(evalCase), inference);
  return criteria[0]?.scores ?? [];
}
