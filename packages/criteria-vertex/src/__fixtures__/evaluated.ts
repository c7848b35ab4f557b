import { type Criterion, type EvalCase, type Invocation, type Json } from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig, scoreUnit, summariseCase } from '@agent-criteria/core/host';
import { evalSet, inference, unit } from '@agent-criteria/core/testing';

/** What a conversation comes to by a criterion alone, the whole way from config to verdict. */
export async function evaluated(
  criterion: Criterion,
  evalCase: EvalCase,
  invocations: readonly Invocation[],
  { compat = null, threshold }: { readonly compat?: 'adk' | null; readonly threshold: number },
) {
  const plan = resolveEvalConfig({
    evalSet: evalSet([evalCase]),
    config: { criteria: { [criterion.name]: threshold } },
    registry: createRegistry([criterion]),
    compat,
    scoringOnly: true,
  });
  const scores = await scoreUnit(plan, unit(evalCase), inference([], { invocations }));
  const { verdict, criteria } = summariseCase(plan, evalCase, [scores]);
  const [found] = criteria;
  if (found === undefined) throw new Error('nothing was scored');
  return { verdict, criterion: found };
}

/** A transport that answers everything in one way, and what it was asked. */
export function answering(answer: Json) {
  const requests: Json[] = [];
  const transport = async (request: Json): Promise<Json> => {
    requests.push(request);
    return answer;
  };
  return { transport, requests };
}
