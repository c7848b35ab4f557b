import { CriteriaError } from '@agent-criteria/core';
import { classifyFailure } from './classify-failure.ts';

/** Failures that no other call to the model would be spared. */
const FINAL: ReadonlySet<string> = new Set(['not-found', 'auth']);

/**
 * Models that have never answered and never will, because they no longer exist or the key is not valid for them. They
 * are only called once.
 */
export interface DeadModels {
  /** Makes the call, or rejects at once with what the model is known to answer. */
  run<T>(to: string, call: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export function openDeadModels(): DeadModels {
  const answering = new Set<string>();
  const dead = new Map<string, CriteriaError>();
  return {
    async run(to, call, signal) {
      const known = dead.get(to);
      if (known !== undefined) throw known;
      try {
        const answer = await call();
        answering.add(to);
        return answer;
      } catch (error) {
        if (!answering.has(to) && CriteriaError.is(error) && FINAL.has(classifyFailure(error, signal).kind)) {
          dead.set(to, error);
        }
        throw error;
      }
    },
  };
}
