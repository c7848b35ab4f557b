import { CriteriaError } from '@agent-criteria/formats';
import type { Tools } from '../contracts/tools.ts';
import type { Plan } from '../resolve/plan.ts';

/** Creates tools that call the plan's models and services directly, without cache, limits or records. */
export function directTools(plan: Plan, signal: AbortSignal): Tools {
  return {
    signal,
    compat: plan.compat,
    model(name) {
      const model = plan.models(name);
      if (model) return model;
      throw new CriteriaError({
        code: 'UNKNOWN_MODEL',
        message: `no model named "${name}" is configured for this run`,
      });
    },
    async call(ask, send) {
      return { answer: await send(ask.request, signal), from: 'live' };
    },
  };
}
