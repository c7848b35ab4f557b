import { untilAborted } from '@agent-criteria/calls';
import { CriteriaError } from '@agent-criteria/core';
import { classifyFailure } from './classify-failure.ts';

/** Failures that no other call to the model would be spared. */
const FINAL: ReadonlySet<string> = new Set(['not-found', 'auth']);

/**
 * How long the others wait for the first call to a model to end, in milliseconds: a service that refuses a key, or lacks the model, says so
 * sooner than that.
 */
const HEAD_START = 500;

/**
 * Models that have never answered and never will, because they no longer exist or the key is not valid for them. They
 * are only called once: the first call to a model has a short head start.
 */
export interface UnusableModels {
  /** Makes the call, or rejects at once with what the model is known to answer. */
  run<T>(to: string, call: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export function openUnusableModels(): UnusableModels {
  const answering = new Set<string>();
  const dead = new Map<string, CriteriaError>();
  /** Settled when the first call to a model has ended, or its head start has. */
  const first = new Map<string, Promise<void>>();
  return {
    async run(to, call, signal) {
      signal.throwIfAborted();
      const ahead = first.get(to);
      let ended = (): void => undefined;
      if (ahead !== undefined) await untilAborted(() => ahead, signal);
      else {
        const over = new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, HEAD_START);
          ended = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        first.set(to, over);
      }
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
      } finally {
        ended();
      }
    },
  };
}
