import { type Criterion, type EvalCase, type Invocation, type Json } from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig, scoreUnit, summariseCase } from '@agent-criteria/core/host';
import { evalSet, inference, unit } from '@agent-criteria/core/testing';

/** Returns the result of a conversation by one criterion alone, all the way from config to verdict. */
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

/** Creates a transport that always gives the same answer, and records the requests. */
export function answering(answer: Json) {
  const requests: Json[] = [];
  const transport = async (request: Json): Promise<Json> => {
    requests.push(request);
    return answer;
  };
  return { transport, requests };
}
