import { CriteriaError, type Tools } from '@agent-criteria/core';

/** No answer of a model or a service, and no failure of one either: whoever asked has nothing to say of it. */
const CUT: ReadonlySet<string> = new Set(['BUDGET_SPENT', 'RECORDING_MISSING', 'RECORDING_UNREADABLE']);

export function isCut(error: unknown): error is CriteriaError {
  return CriteriaError.is(error) && CUT.has(error.code);
}

/**
 * The same tools; tells when a call could not be made at all, because the budget is spent or a recording lacks it. What
 * was to come of the call then is not to be kept, whatever a criterion makes of it.
 */
export function watchCuts(tools: Tools, onCut: (error: CriteriaError) => void): Tools {
  const told = (error: unknown): never => {
    if (isCut(error)) onCut(error);
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
