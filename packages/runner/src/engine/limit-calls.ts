import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tools } from '@agent-criteria/core';
import type { LimitFunction } from 'p-limit';

/** Set inside of a call that holds a place: what it calls itself would wait for its own end. */
const holdsPlace = new AsyncLocalStorage<true>();

/** The same tools, with at most so many calls at once. A call made inside of a call needs no place of its own. */
export function limitCalls(tools: Tools, limit: LimitFunction): Tools {
  const run = <T>(work: () => Promise<T>): Promise<T> =>
    holdsPlace.getStore() ? work() : limit(() => holdsPlace.run(true, work));
  return {
    ...tools,
    model(name) {
      const model = tools.model(name);
      return { id: model.id, generate: (request, signal) => run(() => model.generate(request, signal)) };
    },
    call: (ask, send) => run(() => tools.call(ask, send)),
  };
}
