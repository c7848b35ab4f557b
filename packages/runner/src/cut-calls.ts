import { type CriteriaError, isUnmadeCall, type Tools } from '@agent-criteria/core';

/**
 * The same tools; tells when a call could not be made at all, because the budget is spent or a recording lacks it. What
 * was to come of the call then is not to be kept, whatever a criterion makes of it.
 */
export function watchCuts(tools: Tools, onCut: (error: CriteriaError) => void): Tools {
  const told = (error: unknown): never => {
    if (isUnmadeCall(error)) onCut(error);
    throw error;
  };
  return {
    ...tools,
    model(name) {
      const model = tools.model(name);
      return { ...model, generate: (request, signal) => model.generate(request, signal).catch(told) };
    },
    call: (ask, send) => tools.call(ask, send).catch(told),
  };
}
