import { type CaseResult, type CriterionResult, createRegistry, resolveEvalConfig, scoreUnit, summariseCase } from '@agent-criteria/core/host';
import { type Invocation, type LanguageModel } from '@agent-criteria/core';
import { evalCase, evalSet, inference, unit } from '@agent-criteria/core/testing';
import { hallucinations } from '../hallucinations.ts';

export interface Evaluated {
  readonly verdict: CaseResult['verdict'];
  readonly criterion: CriterionResult;
}

/**
 * Evaluates a conversation with this criterion alone, from config to verdict. `options` are spelt as in a config file.
 */
export async function evaluated(
  invocations: readonly Invocation[],
  judge: LanguageModel,
  {
    options = {},
    compat = null,
    threshold = 0.5,
  }: { options?: Readonly<Record<string, unknown>>; compat?: 'adk' | null; threshold?: number } = {},
): Promise<Evaluated> {
  const one = evalCase('case', invocations.map(() => ({ user: 'Hello' })));
  const plan = resolveEvalConfig({
    evalSet: evalSet([one]),
    config: { criteria: { hallucinations_v1: { threshold, ...options } } },
    registry: createRegistry([hallucinations]),
    models: () => judge,
    environment: {},
    compat,
    scoringOnly: true,
  });
  const scores = await scoreUnit(plan, unit(one), inference([], { invocations }));
  const { verdict, criteria } = summariseCase(plan, one, [scores]);
  const [criterion] = criteria;
  if (criterion === undefined) throw new Error('nothing was scored');
  return { verdict, criterion };
}
