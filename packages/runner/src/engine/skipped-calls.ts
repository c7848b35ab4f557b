import { type CriteriaError, isCallSkipped, type Tools } from '@agent-criteria/core';

/**
 * The same tools; says when a call was not made at all, because the budget is spent or a recording lacks it. What was to
 * come of it is not kept then, whatever a criterion makes of the failure.
 */
export function onCallSkipped(tools: Tools, skipped: (error: CriteriaError) => void): Tools {
  const rethrow = (error: unknown): never => {
    if (isCallSkipped(error)) skipped(error);
    throw error;
  };
  return {
    ...tools,
    model(name) {
      const model = tools.model(name);
      return { ...model, generate: (request, signal) => model.generate(request, signal).catch(rethrow) };
    },
    call: (ask, send) => tools.call(ask, send).catch(rethrow),
  };
}
