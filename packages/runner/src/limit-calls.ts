import type { Tools } from '@agent-criteria/core';
import type { LimitFunction } from 'p-limit';

/** The same tools, with at most so many calls at once. */
export function limitCalls(tools: Tools, limit: LimitFunction): Tools {
  return {
    ...tools,
    model(name) {
      const model = tools.model(name);
      return { id: model.id, generate: (request, signal) => limit(() => model.generate(request, signal)) };
    },
    call: (ask, send) => limit(() => tools.call(ask, send)),
  };
}
